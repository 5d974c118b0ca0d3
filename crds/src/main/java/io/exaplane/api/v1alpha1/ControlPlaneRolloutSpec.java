// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** How the pods of a control plane's components are replaced. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "!has(self.progressDeadline) || self.progressDeadline" + RestartBackoffSpec.IS_TIME,
    messageExpression =
        "'rollout.progressDeadline ' + self.progressDeadline" + RestartBackoffSpec.NO_TIME,
    message =
        "rollout.progressDeadline: must be a number with s, m or h, for example 90s; correct the time")
@ValidationRule(
    value =
        "duration("
            + ControlPlaneRolloutSpec.DEADLINE
            + ") <= duration('24h') && duration("
            + ControlPlaneRolloutSpec.DEADLINE
            + ").getSeconds() >= "
            + ControlPlaneRolloutSpec.MIN_READY
            + " + 30",
    messageExpression =
        "'rollout.progressDeadline ' + "
            + ControlPlaneRolloutSpec.DEADLINE
            + " + ': must be 24h at most, and at least 30s more than minReadySeconds; set another"
            + " time'",
    message =
        "rollout.progressDeadline: must be 24h at most, and at least 30s more than minReadySeconds;"
            + " set another time")
@ValidationRule(
    value = ControlPlaneRolloutSpec.SURGE + " + " + ControlPlaneRolloutSpec.UNAVAILABLE + " > 0",
    message =
        "rollout.maxSurge 0: must be above 0 while rollout.maxUnavailable is 0, since no pod could be"
            + " replaced; set one of the two to 1")
public record ControlPlaneRolloutSpec(
    @Size(max = 63)
        @Pattern("^[A-Za-z0-9][A-Za-z0-9._-]*$")
        @JsonPropertyDescription(
            "The bundle of flags, images and templates: the one in status.bundle, or the one of the"
                + " running operator, which the condition OperatorUpdatePending names. The bundle of"
                + " the running operator replaces pods where the bundles differ, stores first."
                + " Default: the bundle in status.bundle.")
        String bundle,
    @Min(0)
        @Max(15)
        @JsonPropertyDescription(
            "Maximum number of extra pods of a component during a rollout."
                + " Each new kube-apiserver reads the whole content of the stores, so the"
                + " number must be less than apiServer.replicas, or 1. A component with fewer pods"
                + " gets at most its number of pods minus one, and at least one. Default: 1.")
        Integer maxSurge,
    @Min(0)
        @Max(15)
        @JsonPropertyDescription(
            "Number of pods of a component that may be missing while pods are replaced, for example"
                + " where nodes have no room for a new pod beside the old ones. The number must be"
                + " less than apiServer.replicas. A component always keeps one pod. Default: 0.")
        Integer maxUnavailable,
    @Min(0)
        @Max(590)
        @JsonPropertyDescription(
            "Seconds for which a new pod of a component has to be ready before the next pod is"
                + " replaced, or the next kube-apiserver is added. Default: 10.")
        Integer minReadySeconds,
    @JsonPropertyDescription(
            "Load up to which a new kube-apiserver counts as settled, by its own metrics. The"
                + " operator replaces or adds the next one after that.")
        SettleSpec settle,
    @Size(max = 6)
        @JsonPropertyDescription(
            "Time within which each pod of a rollout has to settle, for example 30m. After that the rollout"
                + " stops, and the condition Progressing is False with the reason"
                + " ProgressDeadlineExceeded. Default: 30m.")
        String progressDeadline,
    @JsonPropertyDescription(
            "What the operator does after progressDeadline. Hold replaces nothing further until a"
                + " person acts. Rollback gives the component the last template that was settled,"
                + " and keeps it until the spec asks for another template. Default: Hold.")
        OnStall onStall) {

  static final String DEADLINE =
      "(has(self.progressDeadline) && self.progressDeadline"
          + RestartBackoffSpec.IS_TIME
          + " ? self.progressDeadline : '30m')";
  static final String SURGE = "(has(self.maxSurge) ? self.maxSurge : 1)";
  static final String UNAVAILABLE = "(has(self.maxUnavailable) ? self.maxUnavailable : 0)";
  static final String MIN_READY = "(has(self.minReadySeconds) ? self.minReadySeconds : 10)";

  /** The bundle that is asked for, or null. */
  public static String bundle(ControlPlaneRolloutSpec rollout) {
    return rollout == null ? null : rollout.bundle();
  }
}
