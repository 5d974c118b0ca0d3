// SPDX-License-Identifier: Apache-2.0
/** What is there of a NodePool and of its ControlPlane. */
package io.exaplane.operator.nodepool.observe;
