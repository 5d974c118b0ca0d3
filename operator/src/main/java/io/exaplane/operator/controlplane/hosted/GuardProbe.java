// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.GuardMode;
import io.exaplane.api.v1alpha1.GuardSpec;
import io.exaplane.api.v1alpha1.GuardStatus;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.config.PausedUntil;
import io.exaplane.operator.guard.GuardLook;
import io.exaplane.operator.guard.GuardPolicy;
import io.exaplane.operator.hosted.HostedCluster;
import io.exaplane.operator.hosted.HostedClusters;
import io.exaplane.operator.hosted.NodeFreeze;
import io.exaplane.operator.metrics.GuardMetrics;
import io.exaplane.operator.outcome.Refusals;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/**
 * The meltdown guard of each control plane: looks, decides, and holds back the evictions at once,
 * not in the next reconciliation, which may wait for something else. One look at a control plane at
 * a time; thread-safe.
 */
@ApplicationScoped
public class GuardProbe {
  /** How often each control plane is looked at. */
  public static final Duration PERIOD = Duration.ofMillis(2_500);

  private static final Logger LOG = Logger.getLogger(GuardProbe.class);

  private final Map<String, GuardTarget> targets = new ConcurrentHashMap<>();
  private final Map<String, GuardRun> runs = new ConcurrentHashMap<>();
  private final HostedClusters clusters;
  private final GuardSight sight;
  private final GuardMetrics metrics;
  private final Clock clock;

  GuardProbe(HostedClusters clusters, GuardSight sight, GuardMetrics metrics, Clock clock) {
    this.metrics = metrics;
    this.clusters = clusters;
    this.sight = sight;
    this.clock = clock;
  }

  /** Whether there is an API to look at. */
  static boolean applies(ControlPlane controlPlane) {
    return controlPlane.getStatus() != null && controlPlane.getStatus().endpoint() != null;
  }

  /** Where a control plane is looked at from now on. */
  void watch(String uid, GuardTarget target) {
    targets.put(uid, target);
  }

  /** Forgets a control plane that is gone. */
  void forget(ControlPlane controlPlane) {
    targets.remove(controlPlane.getMetadata().getUid());
    runs.remove(controlPlane.getMetadata().getUid());
  }

  /** Looks once; the last verdict while the API does not answer, nothing before the first. */
  Set<GuardVerdict> look(ControlPlane controlPlane) {
    String uid = controlPlane.getMetadata().getUid();
    GuardTarget target = targets.get(uid);
    Optional<HostedCluster> cluster = clusters.find(uid);
    if (target == null || cluster.isEmpty()) {
      return Set.of();
    }
    GuardSpec spec = GuardSpec.of(controlPlane.getSpec().guard());
    GuardPolicy policy = GuardPolicy.of(spec, target.grace());
    try {
      if (isPaused(controlPlane)) {
        return known(uid, spec); // all stays as it is
      }
      GuardRun before = runs.get(uid);
      if (spec.mode() == GuardMode.Off && before != null && before.isIdle()) {
        return Set.of(before.verdict(spec.mode()));
      }
      GuardLook look = sight.look(controlPlane, cluster.get(), target, policy);
      if (!look.inside() && before == null) {
        return Set.of();
      }
      GuardRun run =
          before == null ? begin(controlPlane, spec.mode(), cluster.get().client()) : before;
      GuardRun next = run.next(look, policy, spec.mode());
      count(run, next);
      GuardRun done =
          look.inside()
              ? carryOut(next, spec.mode(), cluster.get().client(), clock.instant())
              : next;
      runs.put(uid, done);
      return Set.of(done.verdict(spec.mode()));
    } catch (KubernetesClientException e) {
      LOG.debugf("the meltdown guard did not get an answer: %s", e.getMessage());
      return known(uid, spec);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return known(uid, spec);
    }
  }

  private boolean isPaused(ControlPlane controlPlane) {
    return PausedUntil.parse(controlPlane.getSpec().pausedUntil(), clock.instant()).isPresent();
  }

  private void count(GuardRun before, GuardRun next) {
    if (next.status() != before.status()) {
      GuardStatus.Decision last = next.status().decisions().getLast();
      metrics.decided(last.act(), Reason.valueOf(last.reason()));
    }
  }

  private Set<GuardVerdict> known(String uid, GuardSpec spec) {
    return Optional.ofNullable(runs.get(uid))
        .map(run -> Set.of(run.verdict(spec.mode())))
        .orElse(Set.of());
  }

  private static GuardRun begin(
      ControlPlane controlPlane, GuardMode mode, KubernetesClient client) {
    boolean reached =
        controlPlane.getStatus().conditions().stream()
            .anyMatch(
                condition ->
                    condition.type().equals(ConditionType.Available.name())
                        && condition.status().equals(Condition.TRUE));
    return GuardRun.begin(controlPlane.getStatus().guard(), NodeFreeze.look(client), mode, reached);
  }

  /** Makes the hosted cluster what was decided; the steps of an end are a look apart. */
  static GuardRun carryOut(GuardRun run, GuardMode mode, KubernetesClient client, Instant now) {
    boolean wanted = mode == GuardMode.Enforce && run.state().frozen();
    try {
      if (wanted) {
        // Somebody may have deleted it since.
        if (run.actual() != NodeFreeze.State.FROZEN
            || NodeFreeze.look(client) != NodeFreeze.State.FROZEN) {
          NodeFreeze.freeze(client);
          LOG.infof("the meltdown guard holds back evictions: %s", run.state().numbers());
        }
        return run.with(NodeFreeze.State.FROZEN, "");
      }
      if (run.actual() == NodeFreeze.State.FROZEN) {
        NodeFreeze.release(client);
        LOG.infof("the meltdown guard allows evictions again: %s", run.state().numbers());
        return run.with(NodeFreeze.State.RELEASED, "");
      }
      if (run.actual() == NodeFreeze.State.RELEASED) {
        int nodes = NodeFreeze.repeatEvictions(client, now);
        LOG.infof("evictions continue; nodes that are not ready: %d", nodes);
        return run.with(NodeFreeze.State.NONE, "");
      }
      return run.with(run.actual(), "");
    } catch (KubernetesClientException e) {
      return run.with(run.actual(), Refusals.of(e).text());
    }
  }
}
