// SPDX-License-Identifier: Apache-2.0
/**
 * The pieces of which pod templates of all kinds are made, and what nodes carry. Another value in a
 * piece is another template for every pod that has it. Pure.
 */
package io.exaplane.operator.pod;
