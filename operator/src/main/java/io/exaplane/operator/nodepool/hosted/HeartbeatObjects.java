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
 * What a pool's hosts read of their heartbeats, and of the CAs that they are to trust: a ConfigMap
 * in kube-system of the hosted cluster, in which the state of a change is, and the right to read
 * just that. The ConfigMap has numbers, and CAs with a proof. So whoever may write it there can
 * change heartbeats, and nothing else of a kubelet. Stateless.
 */
final class HeartbeatObjects {
  private static final String NAMESPACE = "kube-system";
  private static final String RBAC = "rbac.authorization.k8s.io";
  private static final String HEARTBEATS = "heartbeats";
  private static final String RELEASED = "releasedPercent";
  private static final String SECONDS = "secondsBetweenLooks";
  private static final String AT = "releasedAt";
  private static final String FAILED = "failedBefore";
  private static final String AUTHORITIES = "authorities";
  private static final String PROOF = "proof";

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
   * @param trust what nodes are to trust; without it, hosts stay as they are
   * @throws io.fabric8.kubernetes.client.KubernetesClientException if the API does not answer, or
   *     refuses
   */
  static Released release(
      NodePool pool,
      Wave.Order<Heartbeats> order,
      Optional<TrustOrder> trust,
      Instant now,
      KubernetesClient client) {
    String name = new NodePoolNames(pool).heartbeats();
    Map<String, String> before =
        Optional.ofNullable(client.configMaps().inNamespace(NAMESPACE).withName(name).get())
            .map(ConfigMap::getData)
            .orElse(Map.of());
    Wave<Heartbeats> wave =
        Wave.next(read(before, "").flatMap(HeartbeatObjects::heartbeats), order, now);
    Optional<Wave<String>> trusting =
        trust.map(each -> Wave.next(read(before, AUTHORITIES), each.order(), now));
    Map<String, String> data = new TreeMap<>();
    data.put(SECONDS, Integer.toString(secondsBetweenLooks(pool)));
    data.put(HEARTBEATS, wave.target().text());
    write(wave, "", data);
    trust.ifPresent(
        each -> {
          data.put(AUTHORITIES, each.authorities().text());
          data.put(PROOF, each.authorities().proof(Optional.ofNullable(before.get(PROOF))));
          write(trusting.get(), AUTHORITIES, data);
        });
    HostedBootstrap.apply(client, configMap(pool, name, data));
    rights(pool, name).forEach(each -> HostedBootstrap.apply(client, each));
    return new Released(wave, trusting);
  }

  /** Removes all of a pool; its nodes keep the heartbeats that they have. */
  static void delete(NodePool pool, KubernetesClient client) {
    String name = new NodePoolNames(pool).heartbeats();
    rights(pool, name).forEach(each -> client.resource(each).delete());
    client.configMaps().inNamespace(NAMESPACE).withName(name).delete();
  }

  /** Nothing if somebody wrote into it what is no state. */
  private static Optional<Wave<String>> read(Map<String, String> data, String change) {
    try {
      int percent = Integer.parseInt(String.valueOf(data.get(key(change, RELEASED))));
      int failed = Integer.parseInt(String.valueOf(data.get(key(change, FAILED))));
      Instant at = Instant.parse(String.valueOf(data.get(key(change, AT))));
      String target = String.valueOf(data.get(change.isEmpty() ? HEARTBEATS : change));
      return Optional.of(new Wave<>(target, percent, at, failed));
    } catch (NumberFormatException | DateTimeException changed) {
      return Optional.empty();
    }
  }

  private static Optional<Wave<Heartbeats>> heartbeats(Wave<String> text) {
    return Heartbeats.parse(text.target())
        .map(target -> new Wave<>(target, text.percent(), text.at(), text.failedBefore()));
  }

  private static void write(Wave<?> wave, String change, Map<String, String> data) {
    data.put(key(change, RELEASED), Integer.toString(wave.percent()));
    data.put(key(change, AT), wave.at().toString());
    data.put(key(change, FAILED), Integer.toString(wave.failedBefore()));
  }

  /** Heartbeats were there first, and have the short keys. */
  private static String key(String change, String key) {
    return change.isEmpty()
        ? key
        : change + Character.toUpperCase(key.charAt(0)) + key.substring(1);
  }

  private static ConfigMap configMap(NodePool pool, String name, Map<String, String> data) {
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
