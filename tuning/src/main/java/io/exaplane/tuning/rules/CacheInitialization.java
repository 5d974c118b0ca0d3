// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.rules;

import static io.exaplane.tuning.version.Component.KUBE_APISERVER;

import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.model.Kind;
import io.exaplane.tuning.rules.Item.Confidence;
import io.exaplane.tuning.version.Durations;

/** Time for a starting kube-apiserver to fill its watch caches before it says that it is ready. */
final class CacheInitialization implements Rule {
  private static final double BYTES_PER_SECOND = 50e6;

  @Override
  public String name() {
    return "cache-initialization";
  }

  @Override
  public void apply(Estimate estimate, Advice advice) {
    double largest =
        estimate.load().kinds().stream()
            .filter(Kind::cached)
            .mapToDouble(Kind::storedBytes)
            .max()
            .orElse(0);
    double seconds = Math.ceil(3 * largest / BYTES_PER_SECOND / 60) * 60;
    if (seconds <= 60) {
      return;
    }
    advice.flag(
        KUBE_APISERVER,
        "storage-initialization-timeout",
        Durations.ofSeconds((long) seconds),
        Why.because("three times what the largest resource takes to be read at 50 MB/s")
            .source(Confidence.L, "pkg/server/options; the flag is there since 1.31")
            .risk("a kube-apiserver whose store hangs is found that much later")
            .with("largest resource", Bytes.text(largest)));
  }
}
