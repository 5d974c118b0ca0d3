// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.rules;

import static io.exaplane.tuning.version.Component.CLIENTS;

import io.exaplane.tuning.discovery.ColdDiscovery;
import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.Numbers;
import io.exaplane.tuning.rules.Item.Confidence;
import io.exaplane.tuning.rules.Item.Type;
import io.exaplane.tuning.version.MinorVersion;

/** Clients that ask for each GroupVersion by itself wait in their own limiter. */
final class ClientDiscovery implements Rule {
  /** The last client-go that asks for the beta of aggregated discovery, which 1.33 has no more. */
  private static final MinorVersion LAST_BETA_CLIENT = MinorVersion.of(29);

  private static final double BURST = 300;
  private static final double CONTROLLER_RATE = 5;

  @Override
  public String name() {
    return "client-discovery";
  }

  @Override
  public void apply(Estimate estimate, Advice advice) {
    double groupVersions = estimate.shape().number(Input.GROUP_VERSIONS);
    ColdDiscovery cold =
        ColdDiscovery.of(
            estimate.shape().version(), LAST_BETA_CLIENT, groupVersions, BURST, CONTROLLER_RATE);
    if (cold.limiterSeconds() == 0) {
      return;
    }
    Why why =
        Why.because(
                "a client without this server's form of aggregated discovery (client-go before 0.30"
                    + " from 1.33 on) asks for each GroupVersion; with this burst the client does"
                    + " not wait")
            .source(Confidence.H, "client-go discovery/discovery_client.go; KEP-3352")
            .risk("each start of such a client causes a burst of small requests")
            .with("GroupVersions", groupVersions)
            .with("seconds in the limiter with 300 and 5/s", Numbers.text(cold.limiterSeconds()));
    advice.other(CLIENTS, Type.CONFIG, "discovery.burst", (long) groupVersions + 50, "300", why);
  }
}
