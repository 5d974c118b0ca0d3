// SPDX-License-Identifier: Apache-2.0
/** The operator's upgrades of nodes, as those of a process. */
package io.exaplane.operator.nodepool.hosted;
