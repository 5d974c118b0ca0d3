// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task;

import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Map;
import java.util.Optional;

/**
 * The mark of a task that began, on the object itself. A tool that restores objects, and a person
 * who copies one, bring annotations and no status: the task would be done a second time. Keeps
 * nothing.
 */
final class Begun {
  /** UID of the task that began. */
  static final String ANNOTATION = "exaplane.io/begun-as";

  private Begun() {}

  /** Why a task is the copy of one that began. */
  static Optional<String> copy(ControlPlaneTask task) {
    Map<String, String> annotations = task.getMetadata().getAnnotations();
    return Optional.ofNullable(annotations == null ? null : annotations.get(ANNOTATION))
        .filter(uid -> !uid.equals(task.getMetadata().getUid()))
        .map(
            uid ->
                "metadata.annotations %s %s: another task with this annotation began before, and this one is its copy or was restored; create a task without the annotation to do the same again."
                    .formatted(ANNOTATION, uid));
  }

  /** Writes the mark; a task that was replaced in the meantime gets none. */
  static ControlPlaneTask mark(ControlPlaneTask task, KubernetesClient client) {
    String uid = task.getMetadata().getUid();
    return client
        .resource(task)
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"metadata\":{\"uid\":\"%1$s\",\"annotations\":{\"%2$s\":\"%1$s\"}}}"
                .formatted(uid, ANNOTATION));
  }
}
