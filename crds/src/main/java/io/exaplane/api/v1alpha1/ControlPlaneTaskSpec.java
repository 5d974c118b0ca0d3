// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.stream.Collectors;

/** What is to be done, once. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value =
        "(has(self.restart) ? 1 : 0) + (has(self.rotate) ? 1 : 0) + (has(self.reshard) ? 1 : 0) == 1",
    message =
        "restart, rotate, reshard: exactly one of them must be set, since a task does one thing; keep"
            + " one, and create another task for each other one")
@ValidationRule(
    value = "self == oldSelf",
    message =
        "is immutable, since the task may be under way; create another ControlPlaneTask, and delete"
            + " this one")
public record ControlPlaneTaskSpec(
    @Required
        @JsonPropertyDescription(
            "The ControlPlane, in the same namespace. The task is deleted together with the"
                + " ControlPlane.")
        LocalRef controlPlaneRef,
    @JsonPropertyDescription(
            "Replaces the pods of one component or one store, under spec.rollout and spec.restart of"
                + " the ControlPlane.")
        TaskRestartSpec restart,
    @JsonPropertyDescription("Replaces a key, or issues certificates again.") TaskRotateSpec rotate,
    @JsonPropertyDescription(
            "Moves resources to another store while the control plane serves. See docs/resharding.md.")
        TaskReshardSpec reshard,
    @Default("604800")
        @Min(0)
        @Max(31_536_000)
        @JsonPropertyDescription(
            "Seconds after which the operator deletes a task that is Succeeded, Failed or Rejected."
                + " Default: 604800, a week.")
        Integer ttlSecondsAfterFinished) {

  private static final int WEEK_SECONDS = 604_800;

  /** How long a task stays after its end, with the default filled in, in seconds. */
  public int ttlSeconds() {
    return ttlSecondsAfterFinished == null ? WEEK_SECONDS : ttlSecondsAfterFinished;
  }

  /** What the task does, for people: as restart KubeAPIServer. */
  public String summary() {
    if (restart != null) {
      return "restart "
          + restart.component()
          + (restart.store() == null ? "" : " " + restart.store());
    }
    if (reshard != null) {
      return "move "
          + reshard.resources().stream()
              .map(ResourceRef::resource)
              .collect(Collectors.joining(", "))
          + " to "
          + reshard.toStore();
    }
    return "rotate " + (rotate == null ? "nothing" : rotate.credential());
  }

  /** Whether pods, stores or long-lived keys are replaced; one such task of a control plane. */
  public boolean disrupts() {
    return restart != null
        || reshard != null
        || rotate != null && rotate.credential().isLongLived();
  }
}
