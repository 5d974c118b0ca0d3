// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;

/** What the meltdown guard decided. It is written only with a decision. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record GuardStatus(
    @JsonPropertyDescription(
            "Whether the guard's last decision is that nodes must not be declared dead now.")
        Boolean frozen,
    @JsonPropertyDescription("Nodes that were alive when the guard decided so.") Long aliveNodes,
    @JsonPropertyDescription("Nodes that were dead before.") Long deadNodes,
    @JsonPropertyDescription("The newest decisions, the oldest first; 32 at most.")
        List<Decision> decisions) {

  /** One decision. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Decision(
      @JsonPropertyDescription("RFC 3339 time of the decision.") String at,
      @JsonPropertyDescription(
              "The decision. Froze: the guard stopped evictions of nodes. Thawed: the guard"
                  + " allowed them again. WouldFreeze: mode Observe would have stopped them."
                  + " WouldThaw: mode Observe would have allowed them again.")
          GuardAct act,
      @JsonPropertyDescription("Reason, as in the condition NodeEvictionsAllowed.") String reason,
      @JsonPropertyDescription("The numbers that the decision was made with.") String message) {}
}
