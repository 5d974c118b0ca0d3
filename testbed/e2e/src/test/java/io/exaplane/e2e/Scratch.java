// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;

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
    this(name, version, 10, more);
  }

  Scratch(String name, String version, int maxNodes, String more) {
    this.name = name;
    this.namespace = "e2e-" + name;
    Bed.apply(
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
          maxNodes: %d
        %s
        """
            .formatted(namespace, name, namespace, version, maxNodes, more));
  }

  void awaitSettled(Duration deadline) {
    Bed.awaitSettled(name, namespace, deadline);
  }

  KubernetesClient client() {
    return Hosted.client(name, namespace);
  }

  String hosted(String... arguments) {
    return Bed.hosted(name, namespace, arguments);
  }

  @Override
  public void close() {
    Bed.delete(namespace, List.of(name), "--timeout=180s");
    Bed.kubectl("delete", "namespace", namespace, "--wait=false");
  }
}
