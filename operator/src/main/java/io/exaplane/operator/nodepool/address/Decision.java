// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.address;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.outcome.ReasonWitness;
import java.util.Optional;

/**
 * What becomes of a Node's prefix. Immutable.
 *
 * @param prefix the one that is to be written; of {@link State#GRANTED} only
 * @param reason why the prefix is refused; of {@link State#REFUSED} only
 * @param message field, value, rule and next action; "" if there is nothing to say
 */
record Decision(State state, Optional<Prefix> prefix, Optional<Reason> reason, String message) {
  Decision {
    assert reason.isEmpty() || ReasonWitness.made(reason.get());
  }

  /** What is to be done. */
  enum State {
    /** The operator gives this Node no prefix. */
    NONE,
    /** The host has not written which prefix it has. */
    WAITING,
    /** The prefix is the Node's, and is to be written. */
    GRANTED,
    /** The prefix is written. */
    SET,
    /** The Node has no prefix, or one that does not work. */
    REFUSED
  }

  static final Decision NONE = plain(State.NONE);
  static final Decision WAITING = plain(State.WAITING);
  static final Decision SET = plain(State.SET);

  private static Decision plain(State state) {
    return new Decision(state, Optional.empty(), Optional.empty(), "");
  }

  static Decision granted(Prefix prefix) {
    return new Decision(State.GRANTED, Optional.of(prefix), Optional.empty(), "");
  }

  static Decision refused(Reason reason, String message) {
    return new Decision(State.REFUSED, Optional.empty(), Optional.of(reason), message);
  }

  boolean isRefused() {
    return state == State.REFUSED;
  }
}
