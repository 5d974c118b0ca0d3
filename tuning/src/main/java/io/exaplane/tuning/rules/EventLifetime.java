// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.rules;

import static io.exaplane.tuning.version.Component.KUBE_APISERVER;

import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.model.Kind;
import io.exaplane.tuning.model.Load;
import io.exaplane.tuning.rules.Item.Confidence;
import io.exaplane.tuning.version.Durations;

/** Events live as long as half of their store's quota allows, ten minutes to an hour. */
final class EventLifetime implements Rule {
  @Override
  public String name() {
    return "event-lifetime";
  }

  @Override
  public void apply(Estimate estimate, Advice advice) {
    Kind events = estimate.load().kind(Load.EVENTS);
    advice.flag(
        KUBE_APISERVER,
        "event-ttl",
        Durations.ofSeconds((long) (estimate.load().eventSeconds() / 60) * 60),
        Why.because("half of the store's quota / bytes of Events a second, 10 minutes to an hour")
            .source(Confidence.M, "kubernetes #96836, #65497: Events fill the store")
            .risk("older Events are lost; export Events to keep them")
            .with("events/s", events.writesPerSecond())
            .with(
                "store quota", estimate.shape().storeQuota().map(Bytes::text).orElse("as needed")));
  }
}
