// SPDX-License-Identifier: Apache-2.0
/** One class for each condition of a pool of nodes, with the messages that users read. Pure. */
package io.exaplane.operator.nodepool.condition;
