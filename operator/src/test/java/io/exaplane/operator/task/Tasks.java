// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.operator.controlplane.Fixtures;
import io.fabric8.kubernetes.client.utils.Serialization;

/** Tasks for tests. */
public final class Tasks {
  private Tasks() {}

  /** A task of the control plane of the fixtures, made in a second of 2026. */
  public static ControlPlaneTask task(String name, int second, String spec) {
    ControlPlaneTask task =
        Serialization.unmarshal(
            """
            apiVersion: exaplane.io/v1alpha1
            kind: ControlPlaneTask
            metadata: {name: %1$s, namespace: ns, uid: uid-%1$s, generation: 1, creationTimestamp: "2026-11-27T12:00:%2$02dZ"}
            spec: {controlPlaneRef: {name: demo}, %3$s}
            """
                .formatted(name, second, spec),
            ControlPlaneTask.class);
    task.getMetadata().setOwnerReferences(Fixtures.ownedBy(controlPlane("{}")));
    return task;
  }

  /** The same with a status. */
  public static ControlPlaneTask with(ControlPlaneTask task, String status) {
    ControlPlaneTask told =
        Serialization.unmarshal(
            """
            apiVersion: exaplane.io/v1alpha1
            kind: ControlPlaneTask
            status: %s
            """
                .formatted(status),
            ControlPlaneTask.class);
    task.setStatus(told.getStatus());
    return task;
  }

  /** A task that began at noon. */
  public static ControlPlaneTask running(String spec, String step) {
    return with(
        task("t", 0, spec),
        "{state: Running, %sstartedAt: '2026-11-27T12:00:00.500Z', stepStartedAt: '2026-11-27T12:00:00.500Z'}"
            .formatted(step == null ? "" : "step: " + step + ", "));
  }

  /** A control plane whose components have started once, with more of a status. */
  public static ControlPlane controlPlane(String status) {
    return controlPlane("", status);
  }

  /** The same with more of a spec. */
  public static ControlPlane controlPlane(String spec, String status) {
    ControlPlane controlPlane =
        Fixtures.controlPlane("{version: 1.36.3, maxNodes: 10%s}".formatted(spec));
    ControlPlane told =
        Serialization.unmarshal(
            """
            apiVersion: exaplane.io/v1alpha1
            kind: ControlPlane
            status: %s
            """
                .formatted(status),
            ControlPlane.class);
    controlPlane.setStatus(told.getStatus());
    return controlPlane;
  }
}
