// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Engines that ended by faults of their own: the next one of the same key begins later each time,
 * after 1 s to 5 min. Used by one thread.
 */
final class AddonFaults {
  private static final int MOST_SECONDS = 300;

  /** After this time without a fault, the next one is the first again. */
  private static final Duration FORGOTTEN = Duration.ofMinutes(10);

  private final Map<EngineKey, Fault> faults = new HashMap<>();

  private record Fault(int times, Instant until) {}

  /** Takes down a fault; how many there were in a row. */
  int add(EngineKey key, Instant now) {
    Fault last = faults.get(key);
    int times = last == null || last.until().plus(FORGOTTEN).isBefore(now) ? 1 : last.times() + 1;
    int seconds = Math.min(MOST_SECONDS, 1 << Math.min(times - 1, 10));
    faults.put(key, new Fault(times, now.plusSeconds(seconds)));
    return times;
  }

  /** Whether no engine of the key is to begin yet. */
  boolean holdsBack(EngineKey key, Instant now) {
    Fault last = faults.get(key);
    return last != null && now.isBefore(last.until());
  }

  /** A fault for people, of how many in a row. */
  static String words(int times) {
    return "The apply engine has failed %d times in a row. The operator restarts the engine within 5 minutes. If this persists for 10 minutes, report the fault with the operator's log."
        .formatted(times);
  }
}
