// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.operator.controlplane.render.ApiServerFlags;
import io.exaplane.operator.controlplane.rollout.ServerLoad;
import io.exaplane.operator.controlplane.rollout.ServerSample;
import io.exaplane.operator.hosted.HostedCluster;
import io.exaplane.operator.hosted.HostedClusters;
import io.exaplane.operator.hosted.PeerTls.Peer;
import io.exaplane.tuning.version.Component;
import io.fabric8.kubernetes.api.model.Container;
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
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Asks the newest kube-apiservers of a rollout how busy they are, each at its own address. Without
 * a rollout nobody is asked. Thread-safe.
 */
@ApplicationScoped
public class SettleProbe {
  /** How often each server is asked; a load is that of the time between two looks. */
  public static final Duration PERIOD = Duration.ofSeconds(5);

  /** Looks that are closer to each other tell nothing of a second. */
  private static final Duration LEAST = Duration.ofSeconds(2);

  private static final int READS = 400;
  private static final int WRITES = 200;

  /**
   * A pod that is asked.
   *
   * @param mostInflight requests that it takes at once; 0 without bound
   */
  record Server(String pod, String uid, String address, int port, int mostInflight) {
    static Optional<Server> of(Pod pod) {
      return pod.getMetadata().getDeletionTimestamp() != null
              || pod.getStatus() == null
              || pod.getStatus().getPodIP() == null
          ? Optional.empty()
          : Optional.of(
              new Server(
                  pod.getMetadata().getName(),
                  pod.getMetadata().getUid(),
                  pod.getStatus().getPodIP(),
                  ApiServerFlags.PORT,
                  mostInflight(pod)));
    }

    private static int mostInflight(Pod pod) {
      List<String> flags =
          pod.getSpec().getContainers().stream()
              .filter(any -> any.getName().equals(Component.KUBE_APISERVER.label()))
              .flatMap(Server::flags)
              .toList();
      return number(flags, "--max-requests-inflight=", READS)
          + number(flags, "--max-mutating-requests-inflight=", WRITES);
    }

    private static Stream<String> flags(Container container) {
      return Stream.of(container.getCommand(), container.getArgs())
          .flatMap(words -> words == null ? Stream.empty() : words.stream());
    }

    private static int number(List<String> flags, String name, int otherwise) {
      return flags.stream()
          .filter(flag -> flag.startsWith(name))
          .reduce((_, last) -> last)
          .map(flag -> flag.substring(name.length()))
          .filter(text -> text.matches("[0-9]{1,9}"))
          .map(Integer::parseInt)
          .orElse(otherwise);
    }
  }

  private record Look(ServerSample sample, Instant at) {}

  /** What is known of a control plane; samples and loads are by the pod's UID. */
  private record Known(
      List<Server> servers, Map<String, Look> looks, Map<String, ServerLoad> loads) {}

  private final Map<String, Known> known = new ConcurrentHashMap<>();
  private final HostedClusters clusters;
  private final ServerPodClient client;
  private final Clock clock;

  SettleProbe(HostedClusters clusters, ServerPodClient client, Clock clock) {
    this.clusters = clusters;
    this.client = client;
    this.clock = clock;
  }

  /** The pods that are to settle, as they are now; none to forget all. */
  void watch(String uid, Collection<Pod> pods) {
    watch(uid, pods.stream().flatMap(pod -> Server.of(pod).stream()).toList());
  }

  void watch(String uid, List<Server> servers) {
    known.compute(
        uid,
        (_, before) -> {
          if (servers.isEmpty()) {
            return null;
          }
          return before == null
              ? new Known(servers, new ConcurrentHashMap<>(), new ConcurrentHashMap<>())
              : new Known(servers, before.looks(), before.loads());
        });
  }

  /** Whether a control plane has pods that are to settle. */
  static boolean applies(ControlPlane controlPlane) {
    return controlPlane.getStatus() != null && controlPlane.getStatus().rollout() != null;
  }

  /** Looks once; nothing while no pod is to settle. */
  Set<ApiServerLoads> look(ControlPlane controlPlane) {
    String uid = controlPlane.getMetadata().getUid();
    Optional<HostedCluster> cluster = clusters.find(uid);
    if (!known.containsKey(uid) || cluster.isEmpty()) {
      return Set.of();
    }
    try {
      return look(uid, new Peer(cluster.get().identity(), cluster.get().trust()));
    } catch (KubernetesClientException e) {
      return Set.of();
    }
  }

  /** The same, with what is shown to servers and asked of them. */
  Set<ApiServerLoads> look(String uid, Peer peer) {
    Known all = known.get(uid);
    if (all == null) {
      return Set.of();
    }
    List<String> uids = all.servers().stream().map(Server::uid).toList();
    all.looks().keySet().retainAll(uids);
    all.loads().keySet().retainAll(uids);
    all.servers().forEach(server -> look(all, server, peer));
    return Set.of(new ApiServerLoads(new TreeMap<>(all.loads())));
  }

  private void look(Known all, Server server, Peer peer) {
    Optional<ServerSample> answer = sample(server, peer);
    Instant now = clock.instant();
    if (answer.isEmpty()) {
      all.looks().remove(server.uid());
      all.loads().remove(server.uid());
      return;
    }
    Look before = all.looks().get(server.uid());
    if (before == null || !answer.get().follows(before.sample())) {
      all.looks().put(server.uid(), new Look(answer.get(), now));
      all.loads().remove(server.uid());
      return;
    }
    Duration between = Duration.between(before.at(), now);
    if (between.compareTo(LEAST) >= 0) {
      all.loads()
          .put(
              server.uid(),
              ServerLoad.between(
                  before.sample(),
                  answer.get(),
                  between.toMillis() / 1_000.0,
                  server.mostInflight()));
      all.looks().put(server.uid(), new Look(answer.get(), now));
    }
  }

  private Optional<ServerSample> sample(Server server, Peer peer) {
    try {
      return client.sample(server.address(), server.port(), peer);
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
  }
}
