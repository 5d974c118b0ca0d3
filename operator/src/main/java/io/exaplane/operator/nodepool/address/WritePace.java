// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.address;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How often one Node is written. A host may write its annotation a thousand times; the operator
 * answers the first few at once, and then ever more slowly. Keeps only Nodes that were written a
 * short time ago. One thread.
 */
final class WritePace {
  /** Writes of a Node that joins, is corrected, and joins again. */
  static final int AT_ONCE = 5;

  static final Duration MOST = Duration.ofMinutes(1);

  /** After a refusal by the API: somebody has to change something. */
  static final Duration REFUSED = Duration.ofSeconds(30);

  /** After a conflict, unless the newer version of the Node comes before. */
  static final Duration CHANGED = Duration.ofSeconds(1);

  /** Conflicts one after the other after which nobody hurries any more. */
  private static final int MOST_CONFLICTS = 3;

  private static final Duration CALM = Duration.ofMinutes(10);

  private final Map<String, Writes> writes = new HashMap<>();

  /** Of one Node. */
  private record Writes(int number, Instant last, Instant next, int conflicts) {}

  /** When the Node may be written; empty if at once. */
  Optional<Instant> next(String node, Instant now) {
    return Optional.ofNullable(writes.get(node)).map(Writes::next).filter(now::isBefore);
  }

  /** A write that was done. */
  void done(String node, Instant now) {
    int number = number(node, now) + 1;
    Duration pause =
        number < AT_ONCE
            ? Duration.ZERO
            : Duration.ofSeconds(Math.min(MOST.toSeconds(), 1L << Math.min(number - AT_ONCE, 10)));
    writes.put(node, new Writes(number, now, now.plus(pause), 0));
  }

  /** A write that came too late: the Node is another one by now. */
  void conflict(String node, Instant now) {
    Writes before = writes.get(node);
    int conflicts = before == null ? 1 : before.conflicts() + 1;
    writes.put(node, new Writes(number(node, now), now, now.plus(CHANGED), conflicts));
  }

  /** The newer version of a Node came. */
  void seen(String node) {
    writes.computeIfPresent(
        node,
        (_, each) ->
            each.conflicts() > 0 && each.conflicts() <= MOST_CONFLICTS
                ? new Writes(each.number(), each.last(), each.last(), each.conflicts())
                : each);
  }

  /** A write that was not done is not tried again before the pause ends. */
  void pause(String node, Instant now, Duration pause) {
    writes.put(node, new Writes(number(node, now), now, now.plus(pause), 0));
  }

  private int number(String node, Instant now) {
    Writes before = writes.get(node);
    return before == null || before.last().plus(CALM).isBefore(now) ? 0 : before.number();
  }

  /** Drops who has been calm. */
  void forgetCalm(Instant now) {
    writes.values().removeIf(each -> each.last().plus(CALM).isBefore(now));
  }

  int size() {
    return writes.size();
  }
}
