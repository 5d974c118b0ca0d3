// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.operator.controlplane.render.ApiServerFlags;
import io.exaplane.operator.controlplane.sizing.MemoryPressure;
import io.exaplane.operator.hosted.HostedCluster;
import io.exaplane.operator.hosted.HostedClusters;
import io.exaplane.operator.hosted.PeerTls.Peer;
import io.exaplane.tuning.lists.MetricsPage;
import io.exaplane.tuning.version.Component;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.client.KubernetesClientException;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/**
 * Asks each kube-apiserver how much of its memory limit it uses, so that memory that fills up is
 * seen before the kernel kills a process. A server that does not answer says nothing new. If the
 * console shows them, the same pages tell what LISTs cost. Thread-safe.
 */
@ApplicationScoped
public class MemoryProbe {
  /** How often each server is asked: its page of metrics costs the server some work. */
  public static final Duration PERIOD = Duration.ofMinutes(1);

  /** A pod that can be asked. */
  record Server(String pod, String address, int port, Quantity limit) {
    /** Of a pod that runs with a limit. */
    static Optional<Server> of(Pod pod) {
      if (pod.getMetadata().getDeletionTimestamp() != null
          || pod.getStatus() == null
          || pod.getStatus().getPodIP() == null) {
        return Optional.empty();
      }
      return pod.getSpec().getContainers().stream()
          .filter(any -> any.getName().equals(Component.KUBE_APISERVER.label()))
          .findFirst()
          .map(Container::getResources)
          .map(ResourceRequirements::getLimits)
          .map(limits -> limits.get("memory"))
          .map(
              limit ->
                  new Server(
                      pod.getMetadata().getName(),
                      pod.getStatus().getPodIP(),
                      ApiServerFlags.PORT,
                      limit));
    }
  }

  /** What is known of a control plane; the verdicts are by the pod's name. */
  private record Known(
      List<Server> servers,
      Map<String, MemoryPressure> verdicts,
      AtomicReference<DefinitionsSeen> said) {
    /** Says what servers tell of their kinds; the last word stays if none tells. */
    Optional<DefinitionsSeen> say(Optional<DefinitionsSeen> now) {
      now.ifPresent(
          seen -> said.accumulateAndGet(seen, (old, next) -> old == null ? next : old.then(next)));
      return Optional.ofNullable(said.get());
    }
  }

  private final Map<String, Known> known = new ConcurrentHashMap<>();
  private final HostedClusters clusters;
  private final ServerPodClient client;
  private final Clock clock;
  private final Map<String, LiveLists> lists = new ConcurrentHashMap<>();
  private volatile boolean keepsLists;

  MemoryProbe(HostedClusters clusters, ServerPodClient client, Clock clock) {
    this.clusters = clusters;
    this.client = client;
    this.clock = clock;
  }

  /** From now on keeps what LISTs cost at each look: somebody shows it. */
  public void keepLists() {
    keepsLists = true;
  }

  /**
   * What LISTs cost when the servers were last asked; nothing if nobody keeps that.
   *
   * @param uid of the ControlPlane
   */
  public Optional<LiveLists> lists(String uid) {
    return Optional.ofNullable(lists.get(uid));
  }

  /** The pods of a control plane's kube-apiservers, as they are now. */
  void watch(String uid, Collection<Pod> pods) {
    watch(uid, pods.stream().flatMap(pod -> Server.of(pod).stream()).toList());
  }

  void watch(String uid, List<Server> servers) {
    known.compute(
        uid,
        (_, before) ->
            before == null
                ? new Known(servers, new ConcurrentHashMap<>(), new AtomicReference<>())
                : new Known(servers, before.verdicts(), before.said()));
  }

  /** Looks once; nothing while the API is not known, and the last verdict of who is silent. */
  Set<ApiServerMemory> look(ControlPlane controlPlane) {
    Known all = known.get(controlPlane.getMetadata().getUid());
    Optional<HostedCluster> cluster = clusters.find(controlPlane.getMetadata().getUid());
    if (all == null || cluster.isEmpty()) {
      return Set.of();
    }
    try {
      return Set.of(
          look(
              controlPlane.getMetadata().getUid(),
              new Peer(cluster.get().identity(), cluster.get().trust())));
    } catch (KubernetesClientException e) {
      return Set.of();
    }
  }

  /** The same, with what is shown to servers and asked of them. */
  ApiServerMemory look(String uid, Peer peer) {
    Known all = known.get(uid);
    all.verdicts().keySet().retainAll(all.servers().stream().map(Server::pod).toList());
    List<MemoryPressure> pressures = new ArrayList<>();
    List<List<MetricsPage.Lists>> listed = new ArrayList<>();
    Optional<DefinitionsSeen> seen = Optional.empty();
    for (Server server :
        all.servers().stream().sorted(Comparator.comparing(Server::pod)).toList()) {
      Optional<MemoryFigures> figures = figures(server, peer);
      figures.ifPresent(told -> judge(all, server, told));
      figures.map(MemoryFigures::lists).ifPresent(listed::add);
      Optional.ofNullable(all.verdicts().get(server.pod())).ifPresent(pressures::add);
      seen =
          Stream.concat(seen.stream(), figures.flatMap(DefinitionsSeen::of).stream())
              .reduce(DefinitionsSeen::and);
    }
    if (keepsLists && !listed.isEmpty()) {
      lists.compute(uid, (_, before) -> LiveLists.of(listed, before, clock.instant()));
    }
    return new ApiServerMemory(List.copyOf(pressures), all.say(seen));
  }

  private static void judge(Known all, Server server, MemoryFigures figures) {
    all.verdicts()
        .compute(
            server.pod(),
            (_, before) ->
                MemoryPressure.next(
                        Optional.ofNullable(before),
                        server.pod(),
                        server.limit(),
                        figures.residentBytes(),
                        figures.liveBytes())
                    .orElse(null));
  }

  private Optional<MemoryFigures> figures(Server server, Peer peer) {
    try {
      return client.metrics(server.address(), server.port(), peer, keepsLists);
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /** Forgets a control plane that is gone. */
  void forget(ControlPlane controlPlane) {
    known.remove(controlPlane.getMetadata().getUid());
    lists.remove(controlPlane.getMetadata().getUid());
  }
}
