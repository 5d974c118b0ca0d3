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
            "State of the task. Pending: it has not begun. Running: it is under way."
                + " Succeeded: it is done completely. Failed: it began, and was not carried to"
                + " the end. Rejected: it did not begin, since the task cannot be carried out.")
        TaskState state,
    @JsonPropertyDescription(
            "Present step of a running task. WaitForTurn: other replacements have to"
                + " settle first. ReplacePods: pods are replaced one by one. Prepare: the new key"
                + " is created, trusted everywhere, and used. TrustBoth: both keys are trusted,"
                + " so that everybody outside can follow. Complete: the old key is taken out of"
                + " use. Issue: certificates are issued. BindGroup: the rights go to another"
                + " group. PrepareRoute: resources that move get separate Services, which"
                + " still lead to their present store. CopyKeys: keys are copied to the other"
                + " store, and changes follow. SwitchRoute: the other store takes over, and"
                + " writes wait for a moment.")
        TaskStep step,
    @JsonPropertyDescription("How far the task is, or why it ended, and the next action.")
        String message,
    @JsonPropertyDescription("How much is done, from 0 to 100.") Integer progressPercent,
    @JsonPropertyDescription(
            "Seconds that the rest takes at the pace so far, at the last change of the progress;"
                + " absent where nothing is known.")
        Long remainingSeconds,
    @JsonPropertyDescription("RFC 3339 time at which the task began.") String startedAt,
    @JsonPropertyDescription("RFC 3339 time at which the present step began.") String stepStartedAt,
    @JsonPropertyDescription("RFC 3339 time at which the task ended.") String finishedAt,
    @JsonPropertyDescription(
            "Revision that the task sets as spec.pki.adminKubeconfigRevision; for"
                + " AdminKubeconfig.")
        Integer adminKubeconfigRevision,
    @JsonPropertyDescription("Conditions, each with a reason, a message and the next action.")
        List<Condition> conditions,
    @JsonPropertyDescription("The resources that the task moves; for reshard.")
        List<TaskMove> moves) {}
