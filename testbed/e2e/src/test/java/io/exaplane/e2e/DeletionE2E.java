// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deleting a control plane removes all of it, whatever is left of it by then. */
@Order(90)
class DeletionE2E {
  private static final String KINDS =
      "deployments,statefulsets,replicasets,pods,services,secrets,configmaps,poddisruptionbudgets,storeshards,persistentvolumeclaims,endpointslices";

  @TempDir Path folder;

  @Test
  @Order(1)
  void deletionRemovesEverything() {
    Demo.up();
    Bed.exa("kubectl", "delete", "cpl", Demo.NAME, "--timeout=180s");
    nothingIsLeft(Demo.NAME);
  }

  @Test
  @Order(2)
  void deletionWorksWhenTheStoresAreGoneAlready() throws Exception {
    String name = "volumes";
    Path file =
        Files.writeString(
            folder.resolve("controlplane.yaml"),
            """
            apiVersion: exaplane.io/v1alpha1
            kind: ControlPlane
            metadata: {name: volumes}
            spec:
              version: "%s"
              maxNodes: 100
              apiServer: {replicas: 1}
              controllerManager: {replicas: 1}
              scheduler: {replicas: 1}
              storage:
                stores:
                - {name: default, storage: {type: PersistentVolume, size: 1Gi}}
                - {name: events, criticality: BestEffort}
            """
                .formatted(Bed.VERSION));
    Bed.exa("kubectl", "apply", "--filename=" + file);
    Bed.awaitSettled(name, Demo.NAMESPACE, Duration.ofMinutes(4));
    // A volume outlives its pod, and so does what is in it.
    Bed.hosted(name, Demo.NAMESPACE, "create", "configmap", "kept", "--from-literal=a=b");
    Bed.exa("kubectl", "delete", "pod", "volumes-default-0", "--timeout=60s");
    Bed.await(
        "the data is there again",
        Duration.ofMinutes(3),
        () ->
            Bed.run(
                    List.of(
                        Bed.HOME.resolve("exa").toString(),
                        "kubectl",
                        "--hosted",
                        name,
                        "get",
                        "configmap",
                        "kept"))
                .output()
                .contains("kept "));
    Bed.exa(
        "kubectl", "delete", "statefulsets", "volumes-default", "volumes-events", "--wait=false");
    Bed.exa(
        "kubectl",
        "delete",
        "pods",
        "--selector=exaplane.io/store-shard",
        "--force",
        "--wait=false");
    Bed.exa("kubectl", "delete", "cpl", name, "--timeout=180s");
    nothingIsLeft(name);
  }

  /** The Secrets of the one before go a moment after it; the new one must not take its CA. */
  @Test
  @Order(3)
  void theSameNameCanBeUsedAgainAtOnce() {
    Demo.up();
    String before = caUid();
    Bed.exa(
        "kubectl",
        "replace",
        "--force",
        "--filename=" + Bed.HOME.resolve("config/samples/controlplane.yaml"));
    Bed.awaitSettled(Demo.NAME, Demo.NAMESPACE, Duration.ofMinutes(4));
    assertThat(caUid()).isNotEqualTo(before);
    Demo.hosted("get", "namespaces");
  }

  private static String caUid() {
    return Bed.exa(
        "kubectl", "get", "secret", Demo.NAME + "-ca", "--output=jsonpath={.metadata.uid}");
  }

  private static void nothingIsLeft(String name) {
    Bed.await(
        "nothing of " + name + " is left",
        Duration.ofMinutes(2),
        () -> left(name).isEmpty(),
        () -> left(name).toString());
    assertThat(left(name)).isEmpty();
  }

  private static List<String> left(String name) {
    return Bed.exa("kubectl", "get", KINDS, "--output=name")
        .lines()
        .filter(object -> object.contains("/" + name + "-"))
        .toList();
  }
}
