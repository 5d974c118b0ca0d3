// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.rules;

import static io.exaplane.tuning.version.Component.KUBE_APISERVER;

import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.rules.Item.Confidence;
import io.exaplane.tuning.version.Durations;

/** Time for a starting kube-apiserver to fill its watch caches before it says that it is ready. */
final class CacheInitialization implements Rule {
  private static final double BYTES_PER_SECOND = 50e6;

  /** After it kube-apiserver goes on all the same (storage_readiness_hook.go). */
  private static final double MOST_SECONDS = 600;

  @Override
  public String name() {
    return "cache-initialization";
  }

  @Override
  public void apply(Estimate estimate, Advice advice) {
    double largest = estimate.load().largestCachedBytes();
    double seconds = Math.min(MOST_SECONDS, Math.ceil(3 * largest / BYTES_PER_SECOND / 60) * 60);
    if (seconds <= 60) {
      return;
    }
    advice.flag(
        KUBE_APISERVER,
        "storage-initialization-timeout",
        Durations.ofSeconds((long) seconds),
        Why.because(
                "three times the time to read the largest resource at 50 MB/s, at most ten minutes")
            .source(Confidence.L, "pkg/server/options; the flag exists since 1.31")
            .risk(
                "after this time kube-apiserver becomes ready with unfilled caches; LISTs of those "
                    + "resources are refused or go to the store")
            .with("largest resource", Bytes.text(largest)));
  }
}
