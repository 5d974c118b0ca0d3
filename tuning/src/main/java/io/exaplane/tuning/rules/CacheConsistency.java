// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.rules;

import static io.exaplane.tuning.version.Component.KUBE_APISERVER;

import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.Kind;
import io.exaplane.tuning.rules.Item.Confidence;

/**
 * From 1.34 on each kube-apiserver reads every cached resource whole, every five to seven and a
 * half minutes, to compare it with its cache. Off where that is a load of its own.
 */
final class CacheConsistency implements Rule {
  private static final double PERIOD_SECONDS = 375;
  private static final double LARGE_OBJECTS = 200_000;
  private static final double LARGE_BYTES = 1e9;

  @Override
  public String name() {
    return "cache-consistency-checks";
  }

  @Override
  public void apply(Estimate estimate, Advice advice) {
    double bytes =
        estimate.load().kinds().stream().filter(Kind::cached).mapToDouble(Kind::storedBytes).sum();
    double bytesPerSecond = estimate.replicas() * bytes / PERIOD_SECONDS;
    double largest = estimate.load().largestCachedBytes();
    double network = estimate.shape().number(Input.STORE_BANDWIDTH) * 1e6;
    boolean many = estimate.load().mostCachedObjects() > LARGE_OBJECTS;
    if (bytesPerSecond > 0.1 * network || largest > LARGE_BYTES || many) {
      advice.gate(
          KUBE_APISERVER,
          "DetectCacheInconsistency",
          false,
          Why.because(
                  "every kube-apiserver reads all cached objects from the stores every 5 to 7.5"
                      + " minutes, in pages of 10,000")
              .source(
                  Confidence.M, "pkg/storage/cacher/delegator.go (to 1.36), consistency/checker.go")
              .risk(
                  "a cache that differs from its store goes unnoticed; leave the check on in one"
                      + " canary")
              .with("bytes/s from stores", bytesPerSecond)
              .with("largest resource", Bytes.text(largest)));
    }
  }
}
