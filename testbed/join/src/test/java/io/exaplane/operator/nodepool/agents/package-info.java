// SPDX-License-Identifier: Apache-2.0
/** The operator's waves of agents, as those of a process. */
package io.exaplane.operator.nodepool.agents;
