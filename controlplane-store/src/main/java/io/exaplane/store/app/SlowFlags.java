// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import java.time.Duration;
import picocli.CommandLine.Option;

/** What the store tells of slow requests, as flags. Set once, by picocli. */
final class SlowFlags {
  @Option(
      names = {
        "--slow-request-threshold",
        "--warning-unary-request-duration",
        "--experimental-warning-unary-request-duration" // the name in etcd 3.5
      },
      defaultValue = "100ms",
      converter = Durations.class,
      description =
          "The store logs and counts requests that take longer, with their Kind and the time of each"
              + " phase. At most 10 lines in 10 s; one more line sums up the rest. 0s for none"
              + " (default: ${DEFAULT-VALUE}).")
  private Duration threshold;

  long thresholdNanos() {
    return Math.max(0, threshold.toNanos());
  }
}
