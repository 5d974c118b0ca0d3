// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.rules;

import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.Kind;
import io.exaplane.tuning.model.Numbers;
import io.exaplane.tuning.rules.Item.Confidence;
import java.util.Comparator;

/**
 * What kube-apiservers send to those who watch grows with writes times watchers: it may not fit.
 */
final class WatchTraffic implements Rule {
  private static final double USABLE = 0.7;

  @Override
  public String name() {
    return "watch-traffic";
  }

  @Override
  public void apply(Estimate estimate, Advice advice) {
    double bytes = estimate.load().eventBytesPerSecond() / estimate.replicas();
    double network = estimate.shape().number(Input.APISERVER_BANDWIDTH) * 1e6;
    if (!advice.exceeds(
        new Limit(
            "network of a kube-apiserver",
            "WatchTrafficExceedsNetwork",
            bytes,
            USABLE * network,
            Limit.Unit.BYTES_PER_SECOND))) {
      return;
    }
    Kind most =
        estimate.load().kinds().stream()
            .max(
                Comparator.comparingDouble(
                    kind -> kind.writesPerSecond() * kind.watchers() * kind.bytes()))
            .orElseThrow();
    advice.warn(
        "WatchTrafficExceedsNetwork",
        String.format(
            "a kube-apiserver sends %s/s of watch events, but its network carries %s/s. Most "
                + "events come from %s: %s writes/s to %s watchers",
            Bytes.text(bytes),
            Bytes.text(network),
            most.resource(),
            Numbers.text(Math.ceil(most.writesPerSecond())),
            Numbers.text(most.watchers())),
        "let fewer clients watch all of these objects (kube-proxy=false for a data plane that "
            + "distributes them itself), or change the objects less often",
        Why.because("")
            .source(
                Confidence.H,
                "egress = writes · watchers · bytes; OpenAI 7,500: 1 GB/s of Endpoints")
            .with("bytes/s of a kube-apiserver", bytes)
            .with("watchers", most.watchers()));
  }
}
