// SPDX-License-Identifier: Apache-2.0
/** Which Nodes of hosts that are gone are to be deleted. Pure. */
package io.exaplane.operator.nodepool.repair;
