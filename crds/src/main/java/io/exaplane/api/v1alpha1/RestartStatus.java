// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;

/** What the operator remembers of restarts. It is written only when something restarts. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RestartStatus(
    @JsonPropertyDescription("The components that restarted.") List<Component> components,
    @JsonPropertyDescription(
            "The value of the annotation exaplane.io/release-restarts that was applied last.")
        String released) {

  /** Restarts of one component. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Component(
      @JsonPropertyDescription("Name of the component.") String name,
      @JsonPropertyDescription(
              "RFC 3339 times of the newest restarts that count against the budget, the oldest"
                  + " first.")
          List<String> restarts,
      @JsonPropertyDescription("The pods with restarted containers.") List<PodRestarts> pods,
      @JsonPropertyDescription("The last pod that the operator replaced.") Replacement replaced,
      @JsonPropertyDescription(
              "The Secrets that the component used when a pod began to wait in CrashLoopBackOff.")
          Credentials credentials) {}

  /** How often the containers of a pod were restarted. */
  public record PodRestarts(
      @JsonPropertyDescription("Name of the pod.") String name,
      @JsonPropertyDescription("UID of the pod.") String uid,
      @JsonPropertyDescription("Restarts of its containers, as the kubelet counts them.")
          Integer restarts,
      @JsonPropertyDescription("RFC 3339 time of the last restart.") String last) {}

  /** A pod that the operator deleted, so that another one starts. */
  public record Replacement(
      @JsonPropertyDescription("UID of the pod.") String uid,
      @JsonPropertyDescription("RFC 3339 time of the replacement.") String at,
      @JsonPropertyDescription("RFC 3339 time at which the dependency was back.")
          String servesSince,
      @JsonPropertyDescription("Number of outages in a row, each of which made the delay longer.")
          Integer outages) {}

  /** What a pod needs to start, beside processes. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Credentials(
      @JsonPropertyDescription("Fingerprint of the Secrets.") String fingerprint,
      @JsonPropertyDescription("RFC 3339 time at which another content was seen.")
          String changedAt) {}
}
