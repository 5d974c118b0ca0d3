// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

import java.time.Duration;

/**
 * What a fetch may take, and whom it may ask. Immutable.
 *
 * @param downloadBytes bytes from the network
 * @param unpackedBytes bytes of unpacked archives, with the files that are left out
 * @param keptBytes bytes of the files that are kept, in memory
 * @param files files that are kept
 * @param objects objects of these files, for whoever reads them; an overlay with more is refused
 * @param levels folders in each other
 * @param time of the whole fetch
 * @param reach hosts that may be asked
 */
public record Limits(
    long downloadBytes,
    long unpackedBytes,
    long keptBytes,
    int files,
    int objects,
    int levels,
    Duration time,
    Reach reach) {
  /** Of objects, if nobody says another maximum. */
  private static final int MOST_OBJECTS = 10_000;

  /**
   * 256 MiB from the network and unpacked, 32 MiB kept in 10,000 files, 100,000 objects, 50 levels,
   * 2 minutes.
   */
  public static final Limits DEFAULTS =
      new Limits(
          256L << 20, 256L << 20, 32L << 20, 10_000, 100_000, 50, Duration.ofMinutes(2), Reach.ANY);

  /** The same with 10,000 objects. */
  public Limits(
      long downloadBytes,
      long unpackedBytes,
      long keptBytes,
      int files,
      int levels,
      Duration time,
      Reach reach) {
    this(downloadBytes, unpackedBytes, keptBytes, files, MOST_OBJECTS, levels, time, reach);
  }

  /** The same for fetches that may ask each host. */
  public Limits(
      long downloadBytes,
      long unpackedBytes,
      long keptBytes,
      int files,
      int levels,
      Duration time) {
    this(downloadBytes, unpackedBytes, keptBytes, files, levels, time, Reach.ANY);
  }
}
