// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import io.exaplane.api.v1alpha1.AddonAccountRef;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.operator.hosted.HostedCluster;
import io.exaplane.operator.hosted.HostedClusters;
import io.exaplane.operator.hosted.ImpersonatedUser;
import io.exaplane.operator.metrics.AddonMetrics;
import io.exaplane.operator.status.EventRecorder;
import io.fabric8.kubernetes.client.KubernetesClient;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The add-ons of all control planes. Only passes call this, so only the leader applies anything.
 * Thread-safe; no method waits for a hosted API.
 */
@ApplicationScoped
public class Addons {
  private final HostedClusters clusters;
  private final KubernetesClient management;
  private final EventRecorder events;
  private final AddonMetrics metrics;
  private final AddonFetches fetches;
  private final Clock clock;

  Addons(
      HostedClusters clusters,
      KubernetesClient management,
      EventRecorder events,
      AddonMetrics metrics,
      AddonFetches fetches,
      Clock clock) {
    this.clusters = clusters;
    this.management = management;
    this.events = events;
    this.metrics = metrics;
    this.fetches = fetches;
    this.clock = clock;
  }

  /**
   * Keeps the sources of the spec in the hosted cluster from now on.
   *
   * @param builtIns objects of built-in sources in YAML, by the source's name
   * @param changed brings the reconciler back; must not wait
   * @return what is known of each source; none without add-ons
   */
  public List<AddonReport> follow(
      ControlPlane controlPlane, Map<String, String> builtIns, Runnable changed) {
    AddonPlan plan = AddonPlan.of(controlPlane, builtIns);
    String uid = controlPlane.getMetadata().getUid();
    if (plan.isEmpty()) {
      rest(controlPlane);
      return List.of();
    }
    Optional<FollowedAddons> followed =
        clusters
            .find(uid)
            .flatMap(
                cluster ->
                    cluster.attach(
                        FollowedAddons.class, _ -> begin(controlPlane, cluster, changed)));
    followed.ifPresent(addons -> addons.plan(plan));
    List<AddonReport> told =
        AddonReport.of(plan, followed.map(FollowedAddons::reports).orElse(Map.of()));
    if (!plan.isNoted() || plan.losesInventories(told)) {
      // The status of this pass names the sources, and what is left of removed ones: the next pass
      // goes on. No event tells of statuses.
      changed.run();
    }
    return told;
  }

  private FollowedAddons begin(ControlPlane controlPlane, HostedCluster cluster, Runnable changed) {
    return new FollowedAddons(
        controlPlane.getMetadata().getNamespace() + "/" + controlPlane.getMetadata().getName(),
        ApplyEngine.maker(
            key -> cluster.further(key.account().map(Addons::user)),
            metrics,
            controlPlane.getMetadata().getUid().hashCode()),
        new ManagementReader(management, controlPlane, fetches),
        changed,
        news -> events.tell(controlPlane, news),
        clock);
  }

  private static ImpersonatedUser user(AddonAccountRef account) {
    return ImpersonatedUser.serviceAccount(account.namespace(), account.name());
  }

  /** Leaves the add-ons of a control plane alone until the next {@link #follow}. */
  public void rest(ControlPlane controlPlane) {
    clusters
        .find(controlPlane.getMetadata().getUid())
        .ifPresent(cluster -> cluster.detach(FollowedAddons.class));
  }
}
