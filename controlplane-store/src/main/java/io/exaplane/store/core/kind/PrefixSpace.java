// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.kind;

/**
 * What the keys with a prefix take of the space that they have.
 *
 * @param bytes of all versions that are kept
 * @param liveBytes of the newest ones of the keys that exist
 * @param maxBytes what grows is refused above it
 */
public record PrefixSpace(String prefix, long bytes, long liveBytes, long maxBytes) {}
