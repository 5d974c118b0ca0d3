// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import io.exaplane.api.v1alpha1.ControlPlane;
import java.time.Duration;

/** The control plane of config/samples/controlplane.yaml, which most tests share. */
final class Demo {
  static final String NAME = "demo";
  static final String NAMESPACE = "default";
  static final String HOST = "w1";
  private static final Duration UP = Duration.ofMinutes(5);

  private Demo() {}

  /** Applies the sample unless it is there, and waits until it has settled. */
  static void up() {
    if (Bed.controlPlane(NAME, NAMESPACE) == null) {
      Bed.exa(
          "kubectl", "apply", "--filename=" + Bed.HOME.resolve("config/samples/controlplane.yaml"));
    }
    Bed.awaitSettled(NAME, NAMESPACE, UP);
  }

  static ControlPlane get() {
    return Bed.controlPlane(NAME, NAMESPACE);
  }

  /** Patches the spec by a JSON merge patch. */
  static Bed.Run patch(String json, String... more) {
    return patchNamed(NAME, NAMESPACE, json, more);
  }

  static Bed.Run patchNamed(String name, String namespace, String json, String... more) {
    var command = new java.util.ArrayList<String>();
    command.add(Bed.HOME.resolve("exa").toString());
    command.addAll(
        java.util.List.of(
            "kubectl",
            "--namespace=" + namespace,
            "patch",
            "controlplane",
            name,
            "--type=merge",
            "--patch=" + json));
    command.addAll(java.util.List.of(more));
    return Bed.run(command);
  }

  /** Makes the host w1 a node of the hosted cluster, unless it is. */
  static void host() {
    if (!Bed.exa("host", "list").contains(HOST + " ")) {
      Bed.exa("host", "add", HOST, NAME + "." + NAMESPACE);
    }
  }

  static String hosted(String... arguments) {
    return Bed.hosted(NAME, NAMESPACE, arguments);
  }
}
