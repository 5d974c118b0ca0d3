// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.outcome;

import io.exaplane.api.v1alpha1.Reason;

/**
 * Hears of each reason that is made, and of each condition that is set, when assertions are on: so
 * the tests can prove that each reason of the API occurs. Without assertions nobody is told, and it
 * costs nothing. Thread-safe.
 */
public final class ReasonWitness {
  /** Who listens. Called by any thread. */
  public interface Listener {
    /** A reason was made, for a condition or an Event. */
    void made(Reason reason);

    /**
     * A condition was set.
     *
     * @param type a constant of the Kind's enum
     * @param status True, False or Unknown
     */
    void told(Enum<?> type, String status, Reason reason);
  }

  private static volatile Listener listener;

  private ReasonWitness() {}

  /** From now on this one is told; the only one. */
  public static void listen(Listener to) {
    listener = to;
  }

  /** Tells of a reason. Always true, as an assertion. */
  public static boolean made(Reason reason) {
    Listener to = listener;
    if (to != null) {
      to.made(reason);
    }
    return true;
  }

  /** Tells of a condition. Always true, as an assertion. */
  public static boolean told(Enum<?> type, String status, Reason reason) {
    Listener to = listener;
    if (to != null) {
      to.told(type, status, reason);
    }
    return true;
  }
}
