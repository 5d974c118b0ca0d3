// SPDX-License-Identifier: Apache-2.0
/** The objects of one store. */
package io.exaplane.operator.storeshard.dependent;
