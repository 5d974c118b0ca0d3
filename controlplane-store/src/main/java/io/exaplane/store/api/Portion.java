// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

/**
 * How much of a long read an event loop does before others have their turn.
 *
 * @param keys a Range of more keys is a long read
 * @param bytes of their versions
 */
public record Portion(int keys, int bytes) {
  /** What takes about a tenth of a millisecond. */
  public static final Portion USUAL = new Portion(1000, 128 << 10);
}
