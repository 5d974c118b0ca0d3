// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.GuardSpec;
import io.exaplane.operator.controlplane.rollout.ServerLoad;
import io.exaplane.operator.guard.GateReading;
import io.exaplane.operator.guard.GuardPolicy;
import io.exaplane.operator.guard.LeaseLook;
import io.exaplane.operator.hosted.GateReadings;
import io.exaplane.operator.hosted.HostedCluster;
import io.exaplane.operator.hosted.HostedClusters;
import io.exaplane.operator.hosted.PeerTls.Peer;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Looks how all kube-apiservers and the Leases of a hosted cluster do, for whoever restarts much
 * inside. Nobody is asked while nobody wants to know. A server that cannot be read makes the whole
 * look one that found out nothing. Thread-safe.
 */
@ApplicationScoped
public class AgentGateProbe {
  /** How often; a figure is that of the time between two looks. */
  static final Duration PERIOD = Duration.ofSeconds(5);

  /** Looks that are closer to each other tell nothing of a second. */
  private static final Duration LEAST = Duration.ofSeconds(2);

  /** The answer of each look: what it found is not the ControlPlane's. */
  enum Looked {
    DONE
  }

  private record Look(GateSample sample, Instant at) {}

  /** What is known of a control plane; looks are by the pod's UID. */
  private record Known(
      List<SettleProbe.Server> servers, Optional<GuardTarget> target, Map<String, Look> looks) {}

  private final Map<String, Known> known = new ConcurrentHashMap<>();
  private final HostedClusters clusters;
  private final ServerPodClient client;
  private final GuardSight sight;
  private final GateReadings readings;
  private final Clock clock;

  AgentGateProbe(
      HostedClusters clusters,
      ServerPodClient client,
      GuardSight sight,
      GateReadings readings,
      Clock clock) {
    this.clusters = clusters;
    this.client = client;
    this.sight = sight;
    this.readings = readings;
    this.clock = clock;
  }

  /** The pods of a control plane's kube-apiservers, and where its Leases are, as they are now. */
  void watch(String uid, Collection<Pod> pods, Optional<GuardTarget> target) {
    watch(uid, pods.stream().flatMap(pod -> SettleProbe.Server.of(pod).stream()).toList(), target);
  }

  void watch(String uid, List<SettleProbe.Server> servers, Optional<GuardTarget> target) {
    known.compute(
        uid,
        (_, before) ->
            new Known(
                servers, target, before == null ? new ConcurrentHashMap<>() : before.looks()));
  }

  /** Looks once; passes of the ControlPlane learn nothing of it. */
  Set<Looked> look(ControlPlane controlPlane) {
    String uid = controlPlane.getMetadata().getUid();
    Known all = known.get(uid);
    if (!readings.isAsked(uid)) {
      if (all != null) {
        all.looks().clear();
      }
      return Set.of(Looked.DONE);
    }
    Optional<HostedCluster> cluster = clusters.find(uid);
    readings.put(
        uid,
        all == null || cluster.isEmpty()
            ? GateReading.unread(clock.instant(), "the operator has no connection to the API yet")
            : read(controlPlane, all, cluster.get()));
    return Set.of(Looked.DONE);
  }

  private GateReading read(ControlPlane controlPlane, Known all, HostedCluster cluster) {
    if (!EndpointProbe.mayAnswer(controlPlane.getStatus())) {
      return GateReading.unread(clock.instant(), "no kube-apiserver is ready");
    }
    try {
      LeaseLook leases = LeaseLook.NOT_COUNTED;
      if (all.target().isPresent()) {
        GuardTarget target = all.target().get();
        GuardPolicy policy =
            GuardPolicy.of(GuardSpec.of(controlPlane.getSpec().guard()), target.grace());
        leases = sight.leases(cluster, target, policy);
      }
      return read(all, new Peer(cluster.identity(), cluster.trust()), leases);
    } catch (KubernetesClientException e) {
      return GateReading.unread(clock.instant(), "the connection to the API is closed");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return GateReading.unread(clock.instant(), "the operator is stopping");
    }
  }

  /** The same, with what is shown to servers, and what the store said. */
  GateReading read(String uid, Peer peer, LeaseLook leases) throws InterruptedException {
    return read(known.get(uid), peer, leases);
  }

  private GateReading read(Known all, Peer peer, LeaseLook leases) throws InterruptedException {
    all.looks().keySet().retainAll(all.servers().stream().map(SettleProbe.Server::uid).toList());
    if (all.servers().isEmpty()) {
      return GateReading.unread(clock.instant(), "no kube-apiserver runs");
    }
    long p99 = 0;
    double throttled = 0;
    String problem = "";
    for (SettleProbe.Server server : all.servers()) {
      Optional<GateSample> sample = sample(server, peer);
      Instant now = clock.instant();
      Look before =
          sample.isEmpty()
              ? all.looks().remove(server.uid())
              : all.looks().put(server.uid(), new Look(sample.get(), now));
      if (sample.isEmpty()) {
        problem = "the metrics of pod %s cannot be read".formatted(server.pod());
        continue;
      }
      if (before == null
          || !sample.get().follows(before.sample())
          || Duration.between(before.at(), now).compareTo(LEAST) < 0) {
        problem = "the metrics of pod %s were read only once".formatted(server.pod());
        continue;
      }
      double seconds = Duration.between(before.at(), now).toMillis() / 1_000.0;
      ServerLoad load =
          ServerLoad.between(
              before.sample().sample(), sample.get().sample(), seconds, server.mostInflight());
      p99 = Math.max(p99, load.requestP99Millis());
      throttled += (sample.get().throttled() - before.sample().throttled()) / seconds;
    }
    OptionalInt onTime = GateReading.onTime(leases);
    if (problem.isEmpty() && leases.kind() == LeaseLook.Kind.UNREACHABLE) {
      problem = "the store of node Leases does not answer";
    }
    return problem.isEmpty()
        ? new GateReading(clock.instant(), "", p99, (long) Math.ceil(throttled), onTime)
        : GateReading.unread(clock.instant(), problem);
  }

  private Optional<GateSample> sample(SettleProbe.Server server, Peer peer)
      throws InterruptedException {
    try {
      return client.gateSample(server.address(), server.port(), peer);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Forgets a control plane that is gone. */
  void forget(ControlPlane controlPlane) {
    known.remove(controlPlane.getMetadata().getUid());
    readings.forget(controlPlane.getMetadata().getUid());
  }
}
