// SPDX-License-Identifier: Apache-2.0
/** Which nodes of a pool are drained and come back with a newer kubelet. Pure. */
package io.exaplane.operator.nodepool.upgrade;
