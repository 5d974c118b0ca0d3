// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.kind;

/**
 * What the keys with a prefix take of the space that they have.
 *
 * @param bytes of all versions that are kept
 * @param maxBytes new versions are refused above it
 */
public record PrefixSpace(String prefix, long bytes, long maxBytes) {}
