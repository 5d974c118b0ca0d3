// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.kube;

import java.time.Duration;

/** How long reflectors wait, and what time it is. Any thread. */
public interface Pace {
  /** Nanoseconds of a clock that never goes back. */
  long nowNs();

  /**
   * Waits after failures in a row, the longer the more there are.
   *
   * @param atLeast what the server asked for
   */
  void pause(int failures, Duration atLeast) throws InterruptedException;

  /** Waits before the server is asked again for a kind that it does not have. */
  void pauseWithout() throws InterruptedException;

  /** After how many seconds the server is to end a watch; not the same each time. */
  long watchSeconds();

  /** How long a server that is there is silent at most. */
  Duration silence();

  /** How many objects a page has. */
  int pageSize();
}
