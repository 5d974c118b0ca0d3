// SPDX-License-Identifier: Apache-2.0
/** The nodes of hosted clusters: prefixes of their pods, and how many there are. */
package io.exaplane.operator.nodepool.address;
