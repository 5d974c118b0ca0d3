// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.RolloutTurn;
import io.exaplane.operator.status.Verdict;
import java.util.Optional;

/** What Progressing says while a change waits for other control planes. Pure. */
public final class TurnCondition {
  private TurnCondition() {}

  /**
   * The condition; nothing for one that does not wait.
   *
   * @param most how many roll at once
   */
  public static Optional<Verdict> of(RolloutTurn place, int most) {
    if (place == null || place.state() != RolloutTurn.State.Waiting) {
      return Optional.empty();
    }
    return Optional.of(
        Verdict.yes(
            Reason.WaitingForTurn,
            "The pods stay as they are until other control planes have rolled: %d roll at once, and this one has place %d in the queue. To let more roll at once, set EXAPLANE_FLEET_MAX_CONCURRENT_ROLLOUTS on the operator."
                .formatted(most, place.position())));
  }
}
