// SPDX-License-Identifier: Apache-2.0
/** How often nodes of a pool say that they live, and how a change of that comes to them. Pure. */
package io.exaplane.operator.nodepool.heartbeat;
