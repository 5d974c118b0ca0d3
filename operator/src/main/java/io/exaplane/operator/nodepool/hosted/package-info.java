// SPDX-License-Identifier: Apache-2.0
/** The bootstrap tokens of pools, and what their nodes may do, inside of hosted clusters. */
package io.exaplane.operator.nodepool.hosted;
