// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.heartbeat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How far a change for which kubelets restart is released: of heartbeats, or of the CAs that nodes
 * trust. Each host computes from its name and the change a number below 100, and takes the change
 * when the number is below the released percent. So nobody needs a list of nodes, and each change
 * begins with others. Immutable.
 *
 * @param target what is released
 * @param percent of the nodes that may take it
 * @param at when the last step was done
 * @param failedBefore nodes that needed somebody when the change began
 */
public record Wave<T>(T target, int percent, Instant at, int failedBefore) {
  private static final int ALL = 100;

  /** Between two steps. */
  public static final Duration STEP = Duration.ofMinutes(1);

  /**
   * What is to be released.
   *
   * @param target what nodes are to have
   * @param stepPercent of the nodes that may change within {@link #STEP}
   * @param nodes that joined
   * @param others nodes that did not say that they have it
   * @param failed nodes that need somebody
   * @param frozen whether the meltdown guard holds evictions back
   */
  public record Order<T>(
      T target, int stepPercent, int nodes, int others, int failed, boolean frozen) {}

  /**
   * The next state.
   *
   * @param before as the hosts see it; empty before the first
   */
  public static <T> Wave<T> next(Optional<Wave<T>> before, Order<T> order, Instant now) {
    if (before.isEmpty() || !before.get().target.equals(order.target())) {
      // Nobody changes: those that join later join with what is released.
      int first = order.others() == 0 ? ALL : order.frozen() ? 0 : order.stepPercent();
      return new Wave<>(order.target(), first, now, order.failed());
    }
    Wave<T> wave = before.get();
    if (wave.isComplete() || wave.hold(order).isPresent() || now.isBefore(wave.nextStep())) {
      return wave;
    }
    return new Wave<>(
        wave.target, Math.min(ALL, wave.percent + order.stepPercent()), now, wave.failedBefore);
  }

  /** Whether all nodes may take the change. */
  public boolean isComplete() {
    return percent >= ALL;
  }

  /** When the next step is due. */
  public Instant nextStep() {
    return at.plus(STEP);
  }

  /** Why there is no next step, and the next action; empty if there is one, or needs to be none. */
  public Optional<String> hold(Order<T> order) {
    if (isComplete()) {
      return Optional.empty();
    }
    if (order.frozen()) {
      return Optional.of(
          "The meltdown guard holds evictions back, so no more nodes restart their kubelets. See"
              + " NodeEvictionsAllowed of the ControlPlane.");
    }
    int most = failedBefore + Math.max(1, order.nodes() * order.stepPercent() / ALL);
    return order.failed() > most
        ? Optional.of(
            "%d nodes need an action, and %d did when the change began. No more nodes restart their kubelets until at most %d do: see status.failures."
                .formatted(order.failed(), failedBefore, most))
        : Optional.empty();
  }
}
