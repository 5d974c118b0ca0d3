// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.rules;

import static io.exaplane.tuning.version.Component.KUBE_APISERVER;

import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.Kind;
import io.exaplane.tuning.model.Load;
import io.exaplane.tuning.rules.Item.Confidence;

/** Watch events of custom resources are dear to decode; before 1.37 one goroutine did it. */
final class EventDecoding implements Rule {
  private static final double MANY = 100_000;

  @Override
  public String name() {
    return "event-decoding";
  }

  @Override
  public void apply(Estimate estimate, Advice advice) {
    Kind custom = estimate.load().kind(Load.CUSTOM_RESOURCES);
    if (custom.objects() >= MANY) {
      advice.gate(
          KUBE_APISERVER,
          "ConcurrentWatchObjectDecode",
          true,
          Why.because("several goroutines decode the events of many custom resources")
              .source(
                  Confidence.M, "pkg/features/kube_features.go: beta and off from 1.31, on in 1.37")
              .risk("uses more cores at a time")
              .with(Input.CUSTOM_RESOURCES.key(), custom.objects()));
    }
  }
}
