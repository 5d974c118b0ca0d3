// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core;

/**
 * How much a store may hold before it takes nothing new.
 *
 * @param recordBytes of all versions that are kept, off the heap
 * @param indexBytes of what is needed on the heap to find them, as {@link SpaceAccount#indexBytes}
 *     estimates it
 */
public record SpaceLimits(long recordBytes, long indexBytes) {
  public static final SpaceLimits NONE = new SpaceLimits(Long.MAX_VALUE, Long.MAX_VALUE);
}
