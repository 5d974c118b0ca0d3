// SPDX-License-Identifier: Apache-2.0
/** Agents of a hosted cluster's nodes: in which waves they restart, and what is asked of others. */
package io.exaplane.operator.nodepool.agents;
