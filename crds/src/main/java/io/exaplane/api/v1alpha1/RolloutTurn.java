// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** The place of a control plane among all that change their pods; absent while it changes none. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RolloutTurn(
    @JsonPropertyDescription(
            "Waiting: the pods stay as they are until other control planes have rolled. Rolling:"
                + " the control plane is one of the few that roll at once. OutOfTurn: the control"
                + " plane rolls beside those, because no kube-apiserver served, or because its"
                + " rollout got stuck.")
        State state,
    @JsonPropertyDescription("RFC 3339 time at which the state began.") String since,
    @JsonPropertyDescription(
            "Place in the queue while the control plane waits: 1 plus the number of"
                + " control planes before this one. Places above 10 are rounded up, and not every"
                + " move is written.")
        Integer position,
    @JsonPropertyDescription(
            "Number of control planes that replace pods at once, while the control plane waits: the"
                + " limit of the operator's EXAPLANE_FLEET_MAX_CONCURRENT_ROLLOUTS.")
        Integer atOnce) {
  /** One that does not say how many roll at once. */
  public RolloutTurn(State state, String since, Integer position) {
    this(state, since, position, null);
  }

  /** The states of a rollout. */
  public enum State {
    /** The pods stay as they are. */
    Waiting,
    /** It counts among those that roll at once. */
    Rolling,
    /** It rolls and does not count. */
    OutOfTurn
  }
}
