// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.event;

/** What objects an event is about. Source: k8s.io/kube-scheduler/framework, EventResource. */
public enum Resource {
  /** A pod, on a node or not. */
  POD,
  ASSIGNED_POD,
  UNSCHEDULABLE_POD,
  /** A pod that waits, told of an update of itself. */
  TARGET_POD,
  NODE,
  PERSISTENT_VOLUME,
  CLAIM,
  STORAGE_CLASS,
  CSI_NODE,
  STORAGE_CAPACITY,
  VOLUME_ATTACHMENT,
  RESOURCE_CLAIM,
  RESOURCE_SLICE,
  DEVICE_CLASS,
  POD_GROUP,
  /** Whatever there is. */
  ANY;

  /** Whether those who ask for this one mean the other, too. */
  boolean includes(Resource other) {
    return this == ANY
        || this == other
        || (this == POD
            && (other == ASSIGNED_POD || other == UNSCHEDULABLE_POD || other == TARGET_POD));
  }
}
