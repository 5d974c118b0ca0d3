// SPDX-License-Identifier: Apache-2.0
/** One class for each condition of a StoreShard: what was observed, and what it says of that. */
package io.exaplane.operator.storeshard.condition;
