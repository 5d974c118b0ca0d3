// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.restart;

import java.time.Instant;

/** What is to be done about a component's pods. */
public sealed interface RestartDecision {
  /** Nothing: no pod waits in vain, or the next one's turn comes with an event. */
  record Leave() implements RestartDecision {}

  /**
   * A pod is replaced.
   *
   * @param servesSince when what it needs was back
   * @param outages those in a row, this one among them
   */
  record Allow(PodLook pod, Instant servesSince, int outages) implements RestartDecision {}

  /** A pod is replaced, but not before that time. */
  record WaitUntil(Instant time) implements RestartDecision {}

  /**
   * Nothing is replaced: the budget is used up.
   *
   * @param restarts those that count
   * @param budget how many the policy allows
   * @param until when the first of them counts no more
   */
  record Hold(int restarts, int budget, Instant until) implements RestartDecision {}
}
