// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.fleet;

import io.exaplane.api.v1alpha1.Reason;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Issue 28, line 36: Services that somebody deletes come back with the addresses that nodes and
 * components know; one whose address somebody else has taken says so. Used by one thread.
 */
final class LostServices {
  private static final int HTTP_CONFLICT = 409;
  private static final int HTTP_UNPROCESSABLE = 422;

  private static final String PLANE = "bench";
  private static final String PUBLISHED = PLANE + "-apiserver";

  /** Holds the operator back while another Service takes the address. */
  private static final String HOLD =
      """
      apiVersion: v1
      kind: ResourceQuota
      metadata: {name: no-services, namespace: %s}
      spec: {hard: {services: "0"}}
      """;

  private final KubernetesClient client;
  private final Watch watch;

  LostServices(Management cluster, Watch watch) {
    this.client = cluster.client();
    this.watch = watch;
  }

  /** All of them, at once. */
  void comeBackWithTheirAddresses(String namespace) throws Exception {
    Map<String, String> before = addresses(namespace);
    Set<String> lost = uids(namespace);
    client.services().inNamespace(namespace).delete();
    watch.until(
        "the Services are there again with %s".formatted(before),
        () -> addresses(namespace).equals(before) && Collections.disjoint(uids(namespace), lost));
  }

  /** The address of the API, which the certificates and kubeconfigs of nodes have. */
  void tellOfAnAddressThatIsTaken(String namespace) throws Exception {
    String address = addresses(namespace).get(PUBLISHED);
    client.resource(HOLD.formatted(namespace)).create();
    watch.until(
        "the quota is in force",
        () ->
            client.resourceQuotas().inNamespace(namespace).withName("no-services").get().getStatus()
                != null);
    watch.until("%s is another's".formatted(address), () -> isTakenByAnother(namespace, address));
    client.resource(HOLD.formatted(namespace)).delete();
    watch.until(
        "the loss of %s is told".formatted(address),
        () -> tells(namespace, Reason.AddressLost.name(), address));
    client.resource(other(address)).delete();
  }

  /** The API server gives an address away a while after its Service went. */
  private boolean isTakenByAnother(String namespace, String address) {
    client.services().inNamespace(namespace).withName(PUBLISHED).delete();
    try {
      client.resource(other(address)).create();
      return true;
    } catch (KubernetesClientException e) {
      if (e.getCode() != HTTP_UNPROCESSABLE && e.getCode() != HTTP_CONFLICT) {
        throw e;
      }
      // It exists if the answer to its creation was lost.
      return e.getCode() == HTTP_CONFLICT;
    }
  }

  private static Service other(String address) {
    return new ServiceBuilder()
        .withNewMetadata()
        .withName("other")
        .withNamespace("default")
        .endMetadata()
        .withNewSpec()
        .withClusterIP(address)
        .addNewPort()
        .withPort(443)
        .endPort()
        .endSpec()
        .build();
  }

  private Map<String, String> addresses(String namespace) {
    Map<String, String> addresses = new TreeMap<>();
    client
        .services()
        .inNamespace(namespace)
        .list()
        .getItems()
        .forEach(
            each -> addresses.put(each.getMetadata().getName(), each.getSpec().getClusterIP()));
    return addresses;
  }

  private Set<String> uids(String namespace) {
    return client.services().inNamespace(namespace).list().getItems().stream()
        .map(each -> each.getMetadata().getUid())
        .collect(Collectors.toSet());
  }

  private boolean tells(String namespace, String reason, String word) {
    GenericKubernetesResource plane =
        client
            .genericKubernetesResources("exaplane.io/v1alpha1", "ControlPlane")
            .inNamespace(namespace)
            .withName(PLANE)
            .get();
    List<?> conditions = Objects.requireNonNull(plane.get("status", "conditions"));
    return conditions.stream()
        .map(condition -> (Map<?, ?>) condition)
        .anyMatch(
            condition ->
                reason.equals(condition.get("reason"))
                    && condition.get("message").toString().contains(word));
  }
}
