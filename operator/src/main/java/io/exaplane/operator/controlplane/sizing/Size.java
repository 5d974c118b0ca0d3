// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.SizingSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * The number of nodes that the components are made for. It follows the spec when that has stayed
 * for a while: a number that is set and set back restarts nothing.
 *
 * @param maxNodes what counts now
 * @param pending what the spec asks for, when that is something else
 */
public record Size(int maxNodes, Optional<Change> pending) {
  /** A change to come, and when. */
  public record Change(int maxNodes, Instant at) {}

  /**
   * The size that counts now.
   *
   * @param made whether components were made; before that there is nothing to spare
   * @param hold whether nothing may be changed just now
   */
  public static Size of(ControlPlane controlPlane, boolean made, boolean hold, Instant now) {
    int wanted = controlPlane.getSpec().maxNodes();
    Optional<ControlPlaneStatus.Sizing> before =
        Optional.ofNullable(controlPlane.getStatus())
            .map(ControlPlaneStatus::sizing)
            .filter(sizing -> sizing.maxNodes() != null);
    if (!made || before.isEmpty() || before.get().maxNodes() == wanted) {
      return new Size(wanted, Optional.empty());
    }
    SizingSpec sizing = SizingSpec.of(controlPlane.getSpec().sizing());
    Duration delay =
        wanted > before.get().maxNodes()
            ? sizing.effectiveGrowDelay()
            : sizing.effectiveShrinkDelay();
    // Conditions have whole seconds; the change is never earlier than what they say.
    Instant at = now.plus(delay).plusMillis(999).truncatedTo(ChronoUnit.SECONDS);
    if (Integer.valueOf(wanted).equals(before.get().pendingMaxNodes())) {
      Instant said = Instant.parse(before.get().changesAt());
      at = said.isBefore(at) ? said : at;
    }
    boolean due = delay.isZero() || !now.isBefore(at);
    return due && !hold
        ? new Size(wanted, Optional.empty())
        : new Size(before.get().maxNodes(), Optional.of(new Change(wanted, at)));
  }
}
