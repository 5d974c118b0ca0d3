// SPDX-License-Identifier: Apache-2.0
/** Pieces of pod templates that all kinds have in common, and what nodes carry. Pure. */
package io.exaplane.operator.pod;
