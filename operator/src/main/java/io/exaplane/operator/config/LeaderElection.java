// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.config;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfiguration;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfigurationBuilder;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * One operator acts at a time; the Lease is in the operator's own namespace. The others are warm
 * standbys: their informers run, and they write nothing. An operator that loses the Lease ends at
 * once; one that stops gives it back when its passes have ended, so that a standby need not wait
 * for the Lease's end. The SDK's own exit is off: it calls System.exit inside the shutdown hook,
 * where that never returns. Thread-safe.
 */
@Singleton
class LeaderElection {
  static final String LEASE = "exaplane-operator";

  /** A killed leader is replaced after this and one attempt: 17 s of the 30 s that a fleet has. */
  private static final Duration VALID = Duration.ofSeconds(15);

  private static final Duration RENEWED_WITHIN = Duration.ofSeconds(10);
  private static final Duration ATTEMPTS = Duration.ofSeconds(2);

  /** Of a Lease that was given back; 0 is not allowed. */
  private static final int SHORTEST_SECONDS = 1;

  private static final Logger LOG = Logger.getLogger(LeaderElection.class);

  private final Event<Leading> leading;
  private final KubernetesClient client;
  private final Duration patience;
  private volatile Long stoppingSinceNanos;

  LeaderElection(
      Event<Leading> leading,
      KubernetesClient client,
      @ConfigProperty(name = "quarkus.operator-sdk.termination-timeout-seconds") int patienceS) {
    this.leading = leading;
    this.client = client;
    this.patience = Duration.ofSeconds(patienceS);
  }

  void onStop(@Observes @Priority(1) ShutdownEvent event) {
    stoppingSinceNanos = System.nanoTime();
  }

  @Produces
  @Singleton
  LeaderElectionConfiguration configuration() {
    return LeaderElectionConfigurationBuilder.aLeaderElectionConfiguration(LEASE)
        .withLeaseDuration(VALID)
        .withRenewDeadline(RENEWED_WITHIN)
        .withRetryPeriod(ATTEMPTS)
        .withLeaderCallbacks(
            new LeaderCallbacks(() -> leading.fire(new Leading()), this::lost, leader -> {}))
        .withExitOnStopLeading(false)
        .build();
  }

  private void lost() {
    Long since = stoppingSinceNanos;
    if (since == null) {
      LOG.errorf("lost the Lease %s; another operator may act now, so this operator ends", LEASE);
      Runtime.getRuntime().halt(1);
    } else if (System.nanoTime() - since < patience.toNanos()) {
      giveBack();
    } else {
      LOG.infof("a reconciliation is still running; the Lease %s expires by itself", LEASE);
    }
  }

  /** Writes what was read, unless somebody else wrote since. */
  private void giveBack() {
    try {
      Lease lease = client.leases().inNamespace(client.getNamespace()).withName(LEASE).get();
      if (lease == null || !isOurs(lease)) {
        return;
      }
      client.resource(released(lease)).update();
      LOG.infof("gave the Lease %s back", LEASE);
    } catch (KubernetesClientException e) {
      LOG.infof("could not give the Lease %s back: %s", LEASE, e.getMessage());
    }
  }

  /** By the name that the SDK takes: that of the pod. */
  private static boolean isOurs(Lease lease) {
    String self = System.getenv("HOSTNAME");
    return self != null && self.equals(lease.getSpec().getHolderIdentity());
  }

  /** The Lease that anybody may take at once. */
  static Lease released(Lease lease) {
    return new LeaseBuilder(lease)
        .editSpec()
        .withHolderIdentity("")
        .withLeaseDurationSeconds(SHORTEST_SECONDS)
        .endSpec()
        .build();
  }
}
