// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A control plane of one test, in a namespace of its own, as small as it gets. */
final class Scratch implements AutoCloseable {
  /** More spec: groups of pods are switched on, and all is there once. */
  static final String WITH_GROUPS =
      """
        apiServer:
          replicas: 1
          extraArgs:
          - {name: feature-gates, value: GenericWorkload=true}
          - {name: runtime-config, value: scheduling.k8s.io/v1alpha2=true}
        controllerManager:
          replicas: 1
          extraArgs: [{name: feature-gates, value: GenericWorkload=true}]
        scheduler: {replicas: 1}
      """;

  final String name;
  final String namespace;

  /** Makes it; {@code more} is further spec, as lines of YAML indented by two. */
  Scratch(String name, String version, String more) {
    this.name = name;
    this.namespace = "e2e-" + name;
    try {
      Path file = Files.createTempFile("controlplane", ".yaml");
      Files.writeString(
          file,
          """
          apiVersion: v1
          kind: Namespace
          metadata: {name: %s}
          ---
          apiVersion: exaplane.io/v1alpha1
          kind: ControlPlane
          metadata: {name: %s, namespace: %s}
          spec:
            version: "%s"
            maxNodes: 10
          %s
          """
              .formatted(namespace, name, namespace, version, more));
      Bed.exa("kubectl", "apply", "--filename=" + file);
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void awaitSettled(Duration deadline) {
    Bed.awaitSettled(name, namespace, deadline);
  }

  String hosted(String... arguments) {
    return Bed.hosted(name, namespace, arguments);
  }

  @Override
  public void close() {
    Bed.exa("kubectl", "--namespace=" + namespace, "delete", "cpl", name, "--timeout=180s");
    Bed.exa("kubectl", "delete", "namespace", namespace, "--timeout=120s");
  }
}
