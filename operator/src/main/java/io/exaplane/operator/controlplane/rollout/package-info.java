// SPDX-License-Identifier: Apache-2.0
/** How the pods of components are replaced: gates, steps and the end of patience. Pure. */
package io.exaplane.operator.controlplane.rollout;
