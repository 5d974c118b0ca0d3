// SPDX-License-Identifier: Apache-2.0
/** Cores and memory of a store's container. Pure. */
package io.exaplane.operator.storeshard.resources;
