// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.api.v1alpha1.TaskMove;
import io.exaplane.api.v1alpha1.TaskState;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;

/** A task that moves the Leases of a control plane to another of its stores. Used by one thread. */
record ReshardTask(String name, String controlPlane, String namespace) {
  static final ResourceRef LEASES = new ResourceRef("coordination.k8s.io", "leases");

  /** Creates it; the operator begins when no other task of the control plane runs. */
  static ReshardTask create(String name, String controlPlane, String namespace, String toStore) {
    Bed.CLIENT
        .resource(
            Serialization.unmarshal(
                """
                apiVersion: exaplane.io/v1alpha1
                kind: ControlPlaneTask
                metadata: {name: %s, namespace: %s}
                spec:
                  controlPlaneRef: {name: %s}
                  reshard: {resources: [{group: %s, resource: %s}], toStore: %s}
                """
                    .formatted(
                        name, namespace, controlPlane, LEASES.group(), LEASES.resource(), toStore),
                ControlPlaneTask.class))
        .create();
    return new ReshardTask(name, controlPlane, namespace);
  }

  /** Waits until it has succeeded, and returns what it says of the move; fails when it failed. */
  TaskMove awaitSuccess(Duration deadline) {
    Bed.await(
        name + " has ended",
        deadline,
        () -> get().getStatus() != null && get().getStatus().finishedAt() != null,
        () -> get() + Bed.describe(controlPlane, namespace));
    assertThat(get().getStatus().state())
        .as(get().getStatus().message())
        .isEqualTo(TaskState.Succeeded);
    TaskMove move = get().getStatus().moves().getFirst();
    System.out.printf("%s: %s%n", name, move);
    return move;
  }

  private ControlPlaneTask get() {
    return Bed.CLIENT.resources(ControlPlaneTask.class).inNamespace(namespace).withName(name).get();
  }
}
