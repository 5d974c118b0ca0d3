// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.hosted;

import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.operator.hosted.HostedBootstrap;
import io.exaplane.operator.names.NodePoolNames;
import io.exaplane.operator.nodepool.heartbeat.Heartbeats;
import io.exaplane.operator.nodepool.heartbeat.Wave;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a pool's hosts read of their heartbeats: a ConfigMap in kube-system of the hosted cluster,
 * in which the state of a change is, and the right to read just that. The ConfigMap has numbers
 * only, so whoever may write it there can change heartbeats, and nothing else of a kubelet.
 * Stateless.
 */
final class HeartbeatObjects {
  private static final String NAMESPACE = "kube-system";
  private static final String RBAC = "rbac.authorization.k8s.io";
  private static final String HEARTBEATS = "heartbeats";
  private static final String RELEASED = "releasedPercent";
  private static final String SECONDS = "secondsBetweenLooks";
  private static final String AT = "releasedAt";
  private static final String FAILED = "failedBefore";

  /** All hosts of a pool together look at most that often a second, once they are many. */
  private static final int LOOKS_PER_SECOND = 100;

  private static final int LEAST_SECONDS = 60;
  private static final int MOST_SECONDS = 3600;

  private HeartbeatObjects() {}

  /** How long a host of the pool waits between two looks, seconds. */
  static int secondsBetweenLooks(NodePool pool) {
    return Math.clamp(pool.getSpec().maxNodes() / LOOKS_PER_SECOND, LEAST_SECONDS, MOST_SECONDS);
  }

  /**
   * Takes a step if one is due, and brings the objects up to date.
   *
   * @throws io.fabric8.kubernetes.client.KubernetesClientException if the API does not answer, or
   *     refuses
   */
  static Wave release(NodePool pool, Wave.Order order, Instant now, KubernetesClient client) {
    String name = new NodePoolNames(pool).heartbeats();
    Optional<Wave> before =
        Optional.ofNullable(client.configMaps().inNamespace(NAMESPACE).withName(name).get())
            .flatMap(HeartbeatObjects::read);
    Wave wave = Wave.next(before, order, now);
    HostedBootstrap.apply(client, configMap(pool, name, wave));
    rights(pool, name).forEach(each -> HostedBootstrap.apply(client, each));
    return wave;
  }

  /** Removes all of a pool; its nodes keep the heartbeats that they have. */
  static void delete(NodePool pool, KubernetesClient client) {
    String name = new NodePoolNames(pool).heartbeats();
    rights(pool, name).forEach(each -> client.resource(each).delete());
    client.configMaps().inNamespace(NAMESPACE).withName(name).delete();
  }

  /** Nothing if somebody wrote into it what is no state. */
  private static Optional<Wave> read(ConfigMap found) {
    Map<String, String> data = found.getData() == null ? Map.of() : found.getData();
    try {
      int percent = Integer.parseInt(String.valueOf(data.get(RELEASED)));
      int failed = Integer.parseInt(String.valueOf(data.get(FAILED)));
      Instant at = Instant.parse(String.valueOf(data.get(AT)));
      return Heartbeats.parse(String.valueOf(data.get(HEARTBEATS)))
          .map(heartbeats -> new Wave(heartbeats, percent, at, failed));
    } catch (NumberFormatException | DateTimeException changed) {
      return Optional.empty();
    }
  }

  private static ConfigMap configMap(NodePool pool, String name, Wave wave) {
    Map<String, String> data = new TreeMap<>();
    data.put(HEARTBEATS, wave.heartbeats().text());
    data.put(RELEASED, Integer.toString(wave.percent()));
    data.put(SECONDS, Integer.toString(secondsBetweenLooks(pool)));
    data.put(AT, wave.at().toString());
    data.put(FAILED, Integer.toString(wave.failedBefore()));
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace(NAMESPACE)
        .withLabels(new NodePoolNames(pool).labels())
        .endMetadata()
        .withData(data)
        .build();
  }

  private static List<HasMetadata> rights(NodePool pool, String name) {
    Map<String, String> labels = new NodePoolNames(pool).labels();
    return List.of(
        new RoleBuilder()
            .withNewMetadata()
            .withName(name)
            .withNamespace(NAMESPACE)
            .withLabels(labels)
            .endMetadata()
            .addNewRule()
            .withApiGroups("")
            .withResources("configmaps")
            .withResourceNames(name)
            .withVerbs("get")
            .endRule()
            .build(),
        new RoleBindingBuilder()
            .withNewMetadata()
            .withName(name)
            .withNamespace(NAMESPACE)
            .withLabels(labels)
            .endMetadata()
            .withNewRoleRef(RBAC, "Role", name)
            .addNewSubject(RBAC, "Group", "system:nodes", null)
            .build());
  }
}
