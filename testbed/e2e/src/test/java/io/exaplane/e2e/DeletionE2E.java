// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Deleting a control plane that keeps nothing removes all of it, whatever is left of it by then.
 * The demo is gone afterwards.
 */
@Order(90)
@Tag("life")
class DeletionE2E {
  private static final String KINDS =
      "deployments,statefulsets,replicasets,pods,services,secrets,configmaps,poddisruptionbudgets,storeshards,persistentvolumeclaims,endpointslices";
  private static final String VOLUMES = "volumes";
  private static final String DELETE = "{\"spec\":{\"storage\":{\"deletion\":\"Delete\"}}}";
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  /** One with a volume comes up while the demo is replaced. */
  @BeforeAll
  static void up() {
    Demo.up();
    Bed.apply(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: ControlPlane
        metadata: {name: %s}
        spec:
          version: "%s"
          maxNodes: 100
          apiServer: {replicas: 1, tuning: {shutdownDelay: 1s}}
          controllerManager: {replicas: 1}
          scheduler: {replicas: 1}
          storage:
            deletion: Delete
            stores:
            - {name: default, storage: {type: PersistentVolume, size: 1Gi}}
            - {name: events, criticality: BestEffort}
        """
            .formatted(VOLUMES, Bed.VERSION));
  }

  /** The Secrets of the one before go a moment after it; the new one must not take its CA. */
  @Test
  @Order(1)
  void theSameNameCanBeUsedAgainAtOnce() {
    Demo.patch(DELETE);
    Bed.allowDeletion(Demo.NAME, Demo.NAMESPACE);
    String before = caUid();
    Bed.kubectl(
        "replace", "--force", "--filename=" + Bed.HOME.resolve("config/samples/controlplane.yaml"));
    Demo.settled(PATIENCE);
    assertThat(caUid()).isNotEqualTo(before);
    assertThat(Demo.client().namespaces().withName("default").get()).isNotNull();
  }

  /** Both go at once, one without what it had its data in. */
  @Test
  @Order(2)
  void deletionWorksWhenTheStoresAreGoneAlready() {
    Bed.awaitSettled(VOLUMES, Demo.NAMESPACE, PATIENCE);
    Demo.patch(DELETE);
    Bed.kubectl("delete", "statefulsets", "volumes-default", "volumes-events", "--wait=false");
    Bed.kubectl(
        "delete", "pods", "volumes-default-0", "volumes-events-0", "--force", "--wait=false");
    Bed.delete(Demo.NAMESPACE, List.of(Demo.NAME), "--wait=false");
    Bed.delete(Demo.NAMESPACE, List.of(VOLUMES), "--timeout=180s");
    nothingIsLeft(VOLUMES);
  }

  @Test
  @Order(3)
  void deletionRemovesEverything() {
    Bed.delete(Demo.NAMESPACE, List.of(Demo.NAME), "--timeout=180s");
    nothingIsLeft(Demo.NAME);
  }

  private static String caUid() {
    return Bed.CLIENT
        .secrets()
        .inNamespace(Demo.NAMESPACE)
        .withName(Demo.NAME + "-ca")
        .get()
        .getMetadata()
        .getUid();
  }

  private static void nothingIsLeft(String name) {
    Bed.await(
        "nothing of " + name + " is left",
        Duration.ofMinutes(2),
        () -> left(name).isEmpty(),
        () -> left(name).toString());
  }

  private static List<String> left(String name) {
    return Bed.kubectl("get", KINDS, "--output=name")
        .lines()
        .filter(object -> object.contains("/" + name + "-"))
        .toList();
  }
}
