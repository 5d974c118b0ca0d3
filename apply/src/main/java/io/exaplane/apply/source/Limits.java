// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

import java.time.Duration;

/**
 * What a fetch may take. Immutable.
 *
 * @param downloadBytes bytes from the network
 * @param unpackedBytes bytes of unpacked archives, with the files that are left out
 * @param keptBytes bytes of the files that are kept, in memory
 * @param files files that are kept
 * @param levels folders in each other
 * @param time of the whole fetch
 */
public record Limits(
    long downloadBytes, long unpackedBytes, long keptBytes, int files, int levels, Duration time) {
  /** 256 MiB from the network and unpacked, 32 MiB kept in 10,000 files, 50 levels, 2 minutes. */
  public static final Limits DEFAULTS =
      new Limits(256L << 20, 256L << 20, 32L << 20, 10_000, 50, Duration.ofMinutes(2));
}
