// SPDX-License-Identifier: Apache-2.0
/** What a NodePool's status says. */
package io.exaplane.operator.nodepool.status;
