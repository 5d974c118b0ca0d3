// SPDX-License-Identifier: Apache-2.0
/** Pools of nodes: how hosts join a hosted cluster, and what is known of its nodes. */
package io.exaplane.operator.nodepool;
