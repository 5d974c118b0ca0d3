// SPDX-License-Identifier: Apache-2.0
/**
 * What a store of our own tells of itself. {@code StorePages} decides whether a page is read by TLS
 * or in the clear.
 */
package io.exaplane.operator.storeshard.usage;
