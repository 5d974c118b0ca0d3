// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import java.time.Instant;
import java.util.concurrent.Executor;

/**
 * The time, and the one thread of a load: what is executed or due runs there, one after the other,
 * so a load's state needs no locks. Thread-safe.
 */
interface Timer extends Executor {
  /** A clock that only goes forward, ns. */
  long nanos();

  /** The calendar's time, for objects. */
  Instant now();

  /** Runs a task so many ns from now. */
  void after(long nanos, Runnable task);
}
