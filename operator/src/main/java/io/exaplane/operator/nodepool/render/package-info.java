// SPDX-License-Identifier: Apache-2.0
/**
 * What a NodePool's hosts get: settings of kubelets and the join Secret; and the plan of addresses.
 * Pure.
 */
package io.exaplane.operator.nodepool.render;
