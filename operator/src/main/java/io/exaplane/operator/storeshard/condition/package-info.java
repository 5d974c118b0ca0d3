// SPDX-License-Identifier: Apache-2.0
/** Conditions of the store's workflow, named for what is true. */
package io.exaplane.operator.storeshard.condition;
