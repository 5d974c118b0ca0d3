// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.testbed.machine.Kubernetes;
import io.exaplane.testbed.machine.Machine;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Issue 28, line 31: what the API server refuses without a policy. A webhook that denies, one that
 * does not answer, a node port that another Service has, and a name that somebody's own object has.
 * A condition names object, who refuses and the next action, and somebody's object stays as it was.
 * The operator meets all of them while others are looked at. Used by one thread.
 */
final class Obstacles implements AutoCloseable {
  private static final String DENIED = "obstacle-denied";
  private static final String SILENT = "obstacle-silent";
  private static final String PORT = "obstacle-port";
  private static final String NAME = "obstacle-name";
  private static final List<String> ALL = List.of(DENIED, SILENT, PORT, NAME);
  private static final String API = "exaplane.io/v1alpha1";
  private static final String PLANE = "bench";
  private static final String PUBLISHED = PLANE + "-apiserver";

  /** The rule for service accounts is for the test's dry runs. */
  private static final String CONFIGURATION =
      """
      apiVersion: admissionregistration.k8s.io/v1
      kind: ValidatingWebhookConfiguration
      metadata: {name: %1$s}
      webhooks:
      - name: %1$s.exaplane.test
        admissionReviewVersions: [v1]
        sideEffects: None
        failurePolicy: Fail
        timeoutSeconds: 2
        clientConfig: %2$s
        namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: %1$s}}
        rules:
        - {apiGroups: [policy], apiVersions: ['*'], operations: [CREATE, UPDATE], resources: [poddisruptionbudgets]}
        - {apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [serviceaccounts]}
      """;

  private static final String SERVICE =
      """
      apiVersion: v1
      kind: Service
      metadata: {name: %s, namespace: %s}
      spec: {type: %s, selector: {app: somebody}, ports: [{port: 443}]}
      """;

  private static final String CONTROL_PLANE =
      """
      apiVersion: exaplane.io/v1alpha1
      kind: ControlPlane
      metadata: {name: %s, namespace: %s}
      spec: {version: %s, maxNodes: 10, deletionProtection: false, storage: {deletion: Delete}, endpoint: %s}
      """;

  private final KubernetesClient client;
  private final Watch watch;
  private final DenyingWebhook webhook;
  private Service somebodys;
  private int taken;

  /**
   * Puts nothing in the way yet.
   *
   * @param folder takes a key
   */
  Obstacles(Management cluster, Watch watch, Path folder) throws Exception {
    this.client = cluster.client();
    this.watch = watch;
    this.webhook = new DenyingWebhook(folder);
  }

  /** Asks for all of them; webhooks are in force in a moment. */
  void prepare() throws IOException {
    for (String namespace : ALL) {
      client
          .resource(
              new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build())
          .create();
    }
    // Nobody answers at a port that is free.
    String silent = "{url: 'https://127.0.0.1:%d/'}".formatted(Machine.freePort());
    client.resource(CONFIGURATION.formatted(DENIED, webhook.clientConfig())).create();
    client.resource(CONFIGURATION.formatted(SILENT, silent)).create();
    somebodys = service(PUBLISHED, NAME, "ClusterIP");
    taken = service("taker", PORT, "NodePort").getSpec().getPorts().getFirst().getNodePort();
  }

  /** Makes a control plane behind each; returns before the operator meets them. */
  void place() throws InterruptedException {
    watch.until(
        "the webhook that denies is in force", () -> isInForce(DENIED, "denied the request"));
    watch.until(
        "the silent webhook is in force", () -> isInForce(SILENT, "failed calling webhook"));
    create(DENIED, "{}");
    create(SILENT, "{}");
    create(PORT, "{type: NodePort, nodePort: %d}".formatted(taken));
    create(NAME, "{}");
  }

  private Service service(String name, String namespace, String type) {
    return (Service) client.resource(SERVICE.formatted(name, namespace, type)).create();
  }

  private void create(String namespace, String endpoint) {
    client
        .resource(CONTROL_PLANE.formatted(PLANE, namespace, Kubernetes.version(), endpoint))
        .create();
  }

  private boolean isInForce(String namespace, String words) {
    try {
      client
          .resource(
              new ServiceAccountBuilder()
                  .withNewMetadata()
                  .withName("asked")
                  .withNamespace(namespace)
                  .endMetadata()
                  .build())
          .dryRun()
          .create();
      return false;
    } catch (KubernetesClientException e) {
      return e.getMessage().contains(words);
    }
  }

  /** Each is told by now or soon; then the control planes are deleted, with the obstacles there. */
  void areTold() throws InterruptedException {
    told(
        DENIED,
        "Webhook obstacle-denied\\.exaplane\\.test refuses to \\w+ PodDisruptionBudget bench-\\S+: "
            + DenyingWebhook.WORDS
            + "\\. Change what the webhook objects to");
    told(
        SILENT,
        "Webhook obstacle-silent\\.exaplane\\.test refuses to \\w+ PodDisruptionBudget bench-\\S+: the API"
            + " server gets no answer from the webhook.* Repair the webhook");
    told(
        PORT,
        "The API server refuses to \\w+ Service bench-apiserver: .*provided port is already"
            + " allocated.*Name another port in spec\\.endpoint\\.nodePort");
    told(
        NAME,
        "Service bench-apiserver existed before and does not have the labels of ControlPlane"
            + " bench, so the operator leaves it alone\\. .*kubectl -n obstacle-name delete");
    for (String namespace : ALL) {
      assertThat(
              client
                  .genericKubernetesResources(API, "StoreShard")
                  .inNamespace(namespace)
                  .list()
                  .getItems())
          .as("stores in %s, which nobody refuses", namespace)
          .isNotEmpty();
      plane(namespace).delete();
    }
    watch.until(
        "control planes with an obstacle are deleted",
        () -> ALL.stream().allMatch(namespace -> plane(namespace).get() == null));
    Service still = client.services().inNamespace(NAME).withName(PUBLISHED).get();
    assertThat(still.getMetadata().getUid()).isEqualTo(somebodys.getMetadata().getUid());
    assertThat(still.getMetadata().getOwnerReferences()).isEmpty();
    assertThat(still.getSpec()).as("somebody's Service").isEqualTo(somebodys.getSpec());
    for (String each : List.of(DENIED, SILENT)) {
      client.admissionRegistration().v1().validatingWebhookConfigurations().withName(each).delete();
    }
    ALL.forEach(each -> client.namespaces().withName(each).delete());
  }

  private Resource<GenericKubernetesResource> plane(String namespace) {
    return client
        .genericKubernetesResources(API, "ControlPlane")
        .inNamespace(namespace)
        .withName(PLANE);
  }

  private void told(String namespace, String words) throws InterruptedException {
    try {
      watch.until(
          "the refusal in %s is told".formatted(namespace),
          () ->
              conditions(namespace).stream()
                  .anyMatch(each -> each.matches("(?s).*" + words + ".*")));
    } catch (AssertionError e) {
      throw new AssertionError(
          "%s: %s".formatted(namespace, String.join("\n", conditions(namespace))), e);
    }
    assertThat(conditions(namespace)).noneMatch(each -> each.contains("Exception"));
  }

  private List<String> conditions(String namespace) {
    List<String> words = new ArrayList<>();
    GenericKubernetesResource plane = plane(namespace).get();
    if (plane != null && plane.get("status", "conditions") instanceof Collection<?> conditions) {
      conditions.forEach(each -> words.add(String.valueOf(((Map<?, ?>) each).get("message"))));
    }
    return words;
  }

  @Override
  public void close() {
    webhook.close();
  }
}
