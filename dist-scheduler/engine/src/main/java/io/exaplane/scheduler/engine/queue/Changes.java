// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.queue;

import io.exaplane.scheduler.engine.event.Change;
import io.exaplane.scheduler.engine.event.ClusterEvent;
import io.exaplane.scheduler.engine.event.Resource;
import io.exaplane.scheduler.engine.model.Amounts;
import io.exaplane.scheduler.engine.model.Node;
import io.exaplane.scheduler.engine.model.Pod;
import java.util.ArrayList;
import java.util.List;

/**
 * What a new state of an object means, as far as plugins ask. Source:
 * pkg/scheduler/framework/events.go.
 */
public final class Changes {
  private Changes() {}

  /** Of a node that is another now; nothing if nothing changed that any plugin asks for. */
  public static List<Change> of(Node before, Node after) {
    List<Change> changes = new ArrayList<>();
    if (before.unschedulable() && !after.unschedulable()) {
      changes.add(change(Resource.NODE, ClusterEvent.NODE_TAINT, before, after));
    }
    if (!before.allocatable().equals(after.allocatable())
        || before.allowedPods() != after.allowedPods()) {
      changes.add(change(Resource.NODE, ClusterEvent.NODE_ALLOCATABLE, before, after));
    }
    if (!before.labels().equals(after.labels())) {
      changes.add(change(Resource.NODE, ClusterEvent.NODE_LABEL, before, after));
    }
    if (!before.taints().equals(after.taints())) {
      changes.add(change(Resource.NODE, ClusterEvent.NODE_TAINT, before, after));
    }
    if (!before.features().equals(after.features())) {
      changes.add(change(Resource.NODE, ClusterEvent.NODE_DECLARED_FEATURE, before, after));
    }
    return changes;
  }

  /**
   * Of a pod that is another now; of an update of which nothing is known, if nothing else is. One
   * on no node is the one that waits for such a change.
   */
  public static List<Change> of(Pod before, Pod after) {
    Resource resource = after.nodeName().isEmpty() ? Resource.TARGET_POD : Resource.ASSIGNED_POD;
    List<Change> changes = new ArrayList<>();
    if (!before.spec().labels().equals(after.spec().labels())) {
      changes.add(change(resource, ClusterEvent.POD_LABEL, before, after));
    }
    if (isScaledDown(before, after)) {
      changes.add(change(resource, ClusterEvent.POD_SCALE_DOWN, before, after));
    }
    if (!before.spec().schedulingGates().isEmpty() && after.spec().schedulingGates().isEmpty()) {
      changes.add(change(resource, ClusterEvent.POD_GATES_ELIMINATED, before, after));
    }
    if (before.spec().tolerations().size() != after.spec().tolerations().size()) {
      changes.add(change(resource, ClusterEvent.POD_TOLERATION, before, after));
    }
    if (!before.spec().claims().equals(after.spec().claims())) {
      changes.add(change(resource, ClusterEvent.POD_CLAIMS_MADE, before, after));
    }
    if (changes.isEmpty()) {
      changes.add(change(resource, ClusterEvent.UPDATE, before, after));
    }
    return changes;
  }

  private static boolean isScaledDown(Pod before, Pod after) {
    Amounts had = before.spec().requests().placed();
    Amounts has = after.spec().requests().placed();
    if (has.milliCpu() < had.milliCpu()
        || has.memoryBytes() < had.memoryBytes()
        || has.ephemeralStorageBytes() < had.ephemeralStorageBytes()) {
      return true;
    }
    return had.scalars().entrySet().stream()
        .anyMatch(had1 -> had1.getValue() > has.scalars().getOrDefault(had1.getKey(), -1L));
  }

  static Change change(Resource resource, int action, Object before, Object after) {
    return new Change(new ClusterEvent(resource, action), before, after);
  }
}
