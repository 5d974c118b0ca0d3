// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.config;

import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfiguration;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfigurationBuilder;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import org.jboss.logging.Logger;

/**
 * One operator acts at a time; the Lease is in the operator's own namespace. An operator that loses
 * it ends at once. The SDK's own exit is off: it calls System.exit inside the shutdown hook, where
 * that never returns.
 */
@Singleton
class LeaderElection {
  static final String LEASE = "exaplane-operator";
  private static final Logger LOG = Logger.getLogger(LeaderElection.class);

  private final Event<Leading> leading;
  private volatile boolean stopping;

  LeaderElection(Event<Leading> leading) {
    this.leading = leading;
  }

  void onStop(@Observes @Priority(1) ShutdownEvent event) {
    stopping = true;
  }

  @Produces
  @Singleton
  LeaderElectionConfiguration configuration() {
    return LeaderElectionConfigurationBuilder.aLeaderElectionConfiguration(LEASE)
        .withLeaderCallbacks(
            new LeaderCallbacks(() -> leading.fire(new Leading()), this::lost, leader -> {}))
        .withExitOnStopLeading(false)
        .build();
  }

  private void lost() {
    if (!stopping) {
      LOG.errorf("lost the Lease %s; another operator may act now, so this operator ends", LEASE);
      Runtime.getRuntime().halt(1);
    }
  }
}
