// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;

/** A control plane of one test, in a namespace of its own, as small as it gets. */
final class Scratch implements AutoCloseable {
  /**
   * More spec: groups of pods are switched on, and all is there once.
   *
   * @param groups the version of them that is served: v1alpha2 by 1.36, v1beta1 by 1.37
   */
  static String withGroups(String groups) {
    return """
        apiServer:
          replicas: 1
          extraArgs:
          - {name: feature-gates, value: GenericWorkload=true}
          - {name: runtime-config, value: scheduling.k8s.io/%s=true}
        controllerManager:
          replicas: 1
          extraArgs: [{name: feature-gates, value: GenericWorkload=true}]
        scheduler: {replicas: 1}
      """
        .formatted(groups);
  }

  private static final String KINDS =
      "deployments,statefulsets,replicasets,pods,services,secrets,configmaps,poddisruptionbudgets,storeshards,persistentvolumeclaims,endpointslices";

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

  /**
   * The manifest of a control plane that has one of each and asks for little, so that several fit
   * beside each other.
   */
  static String oneOfEach(String name) {
    return """
        apiVersion: exaplane.io/v1alpha1
        kind: ControlPlane
        metadata: {name: %s}
        spec:
          version: "%s"
          maxNodes: 100
          apiServer: {replicas: 1, tuning: {shutdownDelay: 1s}, resources: {requests: {cpu: 20m, memory: 512Mi}}}
          controllerManager: {replicas: 1, resources: {requests: {cpu: 10m, memory: 64Mi}}}
          scheduler: {replicas: 1, resources: {requests: {cpu: 10m, memory: 64Mi}}}
          rollout: {minReadySeconds: 1}
          storage:
            stores:
            - {name: default, storage: {type: PersistentVolume, size: 1Gi}, resources: {requests: {cpu: 15m, memory: 256Mi}}}
            - {name: events, criticality: BestEffort, resources: {requests: {cpu: 5m, memory: 128Mi}}}
        """
        .formatted(name, Bed.VERSION);
  }

  /** Waits until no object of a control plane in the demo's namespace is there. */
  static void awaitNothingIsLeft(String name) {
    Bed.await(
        "nothing of " + name + " is left",
        Duration.ofMinutes(5),
        () -> left(name).isEmpty(),
        () -> left(name).toString());
  }

  private static List<String> left(String name) {
    return Bed.kubectl("get", KINDS, "--output=name")
        .lines()
        .filter(
            object -> object.contains("/" + name + "-") || object.contains("/data-" + name + "-"))
        .toList();
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
    Bed.delete(namespace, List.of(name), "--timeout=300s");
    Bed.kubectl("delete", "namespace", namespace, "--wait=false");
  }
}
