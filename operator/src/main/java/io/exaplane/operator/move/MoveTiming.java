// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.move;

import java.time.Duration;

/**
 * How long a run waits. Immutable.
 *
 * @param poll between two looks for changes
 * @param firstPause after a request that failed; each further one is twice as long
 * @param longestPause between two attempts
 * @param patience with a store that does not answer, before a move fails
 * @param switchover from the freeze until the first store is told to leave; clients wait so long
 * @param attempts how often a copy begins
 */
record MoveTiming(
    Duration poll,
    Duration firstPause,
    Duration longestPause,
    Duration patience,
    Duration switchover,
    int attempts) {
  /** A client of kube-apiserver's waits for more than 10 s for a store that refuses. */
  static final MoveTiming USUAL =
      new MoveTiming(
          Duration.ofMillis(150),
          Duration.ofMillis(100),
          Duration.ofSeconds(3),
          Duration.ofMinutes(10),
          Duration.ofSeconds(8),
          3);
}
