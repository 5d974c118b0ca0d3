// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.List;

/** The control plane of config/samples/controlplane.yaml, which most tests share. */
final class Demo {
  static final String NAME = "demo";
  static final String NAMESPACE = "default";
  static final String HOST = "w1";
  private static final Duration UP = Duration.ofMinutes(5);

  private Demo() {}

  /** Applies the sample unless it is there, and waits until it has settled. */
  static void up() {
    if (get() == null) {
      Bed.kubectl("apply", "--filename=" + Bed.HOME.resolve("config/samples/controlplane.yaml"));
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
