// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.List;

/**
 * The control plane of config/samples/controlplane.yaml, which most tests share. A step that runs
 * beside others has one in a namespace of its own.
 */
final class Demo {
  static final String NAME = "demo";
  static final String NAMESPACE = environment("DEMO_NAMESPACE", "default");
  static final String HOST = environment("DEMO_HOST", "w1");
  private static final Duration UP = Duration.ofMinutes(5);

  /**
   * More spec for the sample: the node has no room for two that ask for as much as it does. A new
   * pod is ready for a second before the next is replaced: the product's 10 s would make a minute
   * of each change of all six.
   */
  private static final String SMALL =
      """
        apiServer: {tuning: {shutdownDelay: 5s}, resources: {requests: {cpu: 20m, memory: 512Mi}}}
        controllerManager: {resources: {requests: {cpu: 10m, memory: 64Mi}}}
        scheduler: {resources: {requests: {cpu: 10m, memory: 64Mi}}}
        rollout: {minReadySeconds: 1}
        storage:
          stores:
          - {name: default, resources: {requests: {cpu: 25m, memory: 512Mi}}}
          - {name: events, criticality: BestEffort, resources: {requests: {cpu: 5m, memory: 128Mi}}}
      """;

  private Demo() {}

  private static String environment(String name, String otherwise) {
    return System.getenv().getOrDefault(name, otherwise);
  }

  /** Applies the sample unless it is there, and waits until it has settled. */
  static void up() {
    if (get() == null) {
      String sample = Bed.read(Bed.HOME.resolve("config/samples/controlplane.yaml"));
      Bed.apply(NAMESPACE.equals("default") ? sample : sample + SMALL);
    }
    settled(UP);
  }

  static void settled(Duration deadline) {
    Bed.awaitSettled(NAME, NAMESPACE, deadline);
  }

  static ControlPlane get() {
    return Bed.controlPlane(NAME, NAMESPACE);
  }

  /** Patches the spec by a JSON merge patch. */
  static void patch(String json) {
    patch(NAME, NAMESPACE, json);
  }

  static void patch(String name, String namespace, String json) {
    resource(name, namespace).patch(PatchContext.of(PatchType.JSON_MERGE), json);
  }

  static Resource<ControlPlane> resource(String name, String namespace) {
    return Bed.CLIENT.resources(ControlPlane.class).inNamespace(namespace).withName(name);
  }

  /**
   * Makes the host w1 a node of the hosted cluster, unless it is. One that a control plane knew
   * that was deleted or lost its data is made anew.
   */
  static void host() {
    boolean there = Bed.exa("host", "list").contains(HOST + " ");
    if (there && client().nodes().withName(HOST).get() == null) {
      Bed.exa("host", "remove", HOST);
      there = false;
    }
    if (!there) {
      Bed.exa("host", "add", HOST, NAME + "." + NAMESPACE);
    }
  }

  static KubernetesClient client() {
    return Hosted.client(NAME, NAMESPACE);
  }

  /** Runs kubectl in the hosted cluster; fails when it does. */
  static String hosted(String... arguments) {
    return Bed.hosted(NAME, NAMESPACE, arguments);
  }

  /** Runs kubectl in the hosted cluster. */
  static Bed.Run run(String... arguments) {
    return Hosted.kubectl(NAME, NAMESPACE, arguments);
  }

  /** Removes Deployments of the hosted cluster that tests made, if they are there. */
  static void deleteDeployments(List<String> names) {
    names.forEach(
        name -> client().apps().deployments().inNamespace("default").withName(name).delete());
  }
}
