// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;

/** A rollout that is under way; absent while there is none. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RolloutStatus(
    @JsonPropertyDescription("The component whose pods are replaced or added.") String component,
    @JsonPropertyDescription("Identity of the template that the pods get.") String template,
    @JsonPropertyDescription("How far the component is, for example: 1 of 3 pods replaced.")
        String step,
    @JsonPropertyDescription("RFC 3339 time at which the rollout began.") String startedAt,
    @JsonPropertyDescription("RFC 3339 time of the rollout's last progress.") String progressedAt,
    @JsonPropertyDescription(
            "RFC 3339 time at which the rollout stopped because it exceeded its deadline.")
        String stalledAt,
    @JsonPropertyDescription("The reason why the newest pod was not settled at that time.")
        String lastWords,
    @JsonPropertyDescription("The gates that hold the rollout now.") List<Blocked> blockedBy,
    @JsonPropertyDescription(
            "The value of the annotation exaplane.io/rollout-override that counts now.")
        String override,
    @JsonPropertyDescription(
            "Number of kube-apiservers when the operator began to add some; absent while pods are"
                + " replaced.")
        Integer fromReplicas,
    @JsonPropertyDescription(
            "Identity of the settled template that the operator put back; absent unless the rollout"
                + " was rolled back.")
        String rolledBackTo,
    @JsonPropertyDescription(
            "Further components: those that were rolled back, too, and the one that is under way"
                + " while another is rolled back.")
        List<Other> others) {

  /** A further component whose rollout is told. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Other(
      @JsonPropertyDescription("The component whose pods are replaced or added.") String component,
      @JsonPropertyDescription("Identity of the template that the pods get.") String template,
      @JsonPropertyDescription("How far the component is, for example: 1 of 3 pods replaced.")
          String step,
      @JsonPropertyDescription("RFC 3339 time at which the rollout began.") String startedAt,
      @JsonPropertyDescription("RFC 3339 time of the rollout's last progress.") String progressedAt,
      @JsonPropertyDescription(
              "RFC 3339 time at which the rollout stopped because it exceeded its deadline.")
          String stalledAt,
      @JsonPropertyDescription("The reason why the newest pod was not settled at that time.")
          String lastWords,
      @JsonPropertyDescription(
              "Number of kube-apiservers when the operator began to add some; absent while pods are"
                  + " replaced.")
          Integer fromReplicas,
      @JsonPropertyDescription(
              "Identity of the settled template that the operator put back; absent unless the"
                  + " rollout was rolled back.")
          String rolledBackTo) {}

  /** A gate that holds a rollout. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Blocked(
      @JsonPropertyDescription(
              "Name of the gate, as the annotation exaplane.io/rollout-override takes it."
                  + " StoresServe: every store serves, and none is being replaced. OneLayer: no"
                  + " component that comes before is being replaced. MinReady: the newest pods have"
                  + " been ready for long enough. MetricsRead: the operator reads the metrics of"
                  + " the newest kube-apiservers. WatchCaches: their watch caches are initialised."
                  + " RequestP99: their requests are fast enough. RequestsInFlight: few enough of"
                  + " their requests are in flight. Relists: few enough clients list again."
                  + " ProgressDeadline: the rollout came further within its deadline.")
          RolloutGate gate,
      @JsonPropertyDescription("The component that the gate holds.") String component,
      @JsonPropertyDescription("The figure that the gate goes by. Small changes are not written.")
          String number,
      @JsonPropertyDescription("The limit that the figure has to reach.") String limit,
      @JsonPropertyDescription("RFC 3339 time since which the gate holds the rollout.")
          String since,
      @JsonPropertyDescription("RFC 3339 time at which the gate opens, where that is known.")
          String expectedEnd,
      @JsonPropertyDescription("What the gate waits for.") String message) {}
}
