// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;

/** How far a task is. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ControlPlaneTaskStatus(
    @JsonPropertyDescription("Generation of the spec that this status describes.")
        Long observedGeneration,
    @JsonPropertyDescription("The work of the task, such as restart KubeAPIServer.") String task,
    @JsonPropertyDescription(
            "Pending: not begun. Running: under way. Succeeded: done. Failed: begun, and not carried to"
                + " the end. Rejected: not begun, since the task cannot be carried out.")
        TaskState state,
    @JsonPropertyDescription("What a running task is at.") TaskStep step,
    @JsonPropertyDescription("How far the task is, or why it ended, and the next action.")
        String message,
    @JsonPropertyDescription("How much is done, from 0 to 100.") Integer progressPercent,
    @JsonPropertyDescription(
            "Seconds that the rest takes at the pace so far, at the last change of the progress; absent"
                + " where nothing is known.")
        Long remainingSeconds,
    @JsonPropertyDescription("RFC 3339 time at which the task began.") String startedAt,
    @JsonPropertyDescription("RFC 3339 time at which the present step began.") String stepStartedAt,
    @JsonPropertyDescription("RFC 3339 time at which the task ended.") String finishedAt,
    @JsonPropertyDescription(
            "The value of spec.pki.adminKubeconfigRevision that the task sets; for AdminKubeconfig.")
        Integer adminKubeconfigRevision,
    @JsonPropertyDescription("Conditions.") List<Condition> conditions,
    @JsonPropertyDescription("The resources that the task moves; for reshard.")
        List<TaskMove> moves) {}
