// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task;

import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.TaskState;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which disruptive task of a control plane comes next: one at a time, the oldest first. What is
 * remembered only covers what the cache does not show yet: a new leader needs none of it.
 * Thread-safe.
 */
@ApplicationScoped
class TaskQueue {
  private static final Comparator<ControlPlaneTask> BY_AGE =
      Comparator.<ControlPlaneTask, String>comparing(
              task -> task.getMetadata().getCreationTimestamp())
          .thenComparing(task -> task.getMetadata().getName());

  /** By namespace and name of a control plane: UID of the task that was let in last. */
  private final Map<String, String> admitted = new HashMap<>();

  /**
   * Lets a task begin, or names the one that comes before.
   *
   * @param all the tasks of the cache, also of other control planes
   */
  synchronized Optional<String> before(ControlPlaneTask task, List<ControlPlaneTask> all) {
    if (!task.getSpec().disrupts()) {
      return Optional.empty();
    }
    String key = key(task);
    List<ControlPlaneTask> others =
        all.stream()
            .filter(other -> other.getSpec().disrupts() && key(other).equals(key))
            .filter(other -> !uid(other).equals(uid(task)))
            .filter(other -> state(other) == TaskState.Running || isWaiting(other))
            .toList();
    Optional<ControlPlaneTask> first =
        others.stream()
            .filter(
                other -> state(other) == TaskState.Running || uid(other).equals(admitted.get(key)))
            .findFirst()
            .or(
                () ->
                    others.stream()
                        .filter(other -> BY_AGE.compare(other, task) < 0)
                        .filter(_ -> !uid(task).equals(admitted.get(key)))
                        .min(BY_AGE));
    if (first.isEmpty()) {
      admitted.put(key, uid(task));
    }
    return first.map(other -> other.getMetadata().getName());
  }

  /** A task ended, or is gone. */
  synchronized void forget(ControlPlaneTask task) {
    admitted.remove(key(task), uid(task));
  }

  private static boolean isWaiting(ControlPlaneTask task) {
    return !state(task).isFinished() && task.getMetadata().getDeletionTimestamp() == null;
  }

  private static TaskState state(ControlPlaneTask task) {
    return task.getStatus() == null || task.getStatus().state() == null
        ? TaskState.Pending
        : task.getStatus().state();
  }

  private static String uid(ControlPlaneTask task) {
    return task.getMetadata().getUid();
  }

  private static String key(ControlPlaneTask task) {
    return task.getMetadata().getNamespace() + "/" + task.getSpec().controlPlaneRef().name();
  }
}
