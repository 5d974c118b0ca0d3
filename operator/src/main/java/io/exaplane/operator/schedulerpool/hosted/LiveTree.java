// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.hosted;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * Who is slow in the tree of a pool, as its root in charge said when it was last asked. Immutable.
 *
 * @param slowest members: those that the root heard of longest ago, then the slowest to answer
 */
public record LiveTree(Instant at, List<Member> slowest) {
  static final int MOST = 10;

  /** A root asks five times a second; who has not answered for so long comes first. */
  private static final long SILENT_MS = 2_000;

  /**
   * A process of the tree.
   *
   * @param isShard whether it holds nodes; relays hold none
   * @param answerMicros that its last answer took; 0 for a relay
   * @param silentMs since the root heard of it
   */
  public record Member(String name, boolean isShard, int nodes, long answerMicros, long silentMs) {
    /** Whether the root has not heard of it for so long that it may be gone. */
    public boolean isSilent() {
      return silentMs >= SILENT_MS;
    }
  }

  static LiveTree of(List<Member> members, Instant at) {
    return new LiveTree(
        at,
        members.stream()
            .sorted(
                Comparator.comparingLong((Member each) -> each.isSilent() ? -each.silentMs() : 0)
                    .thenComparingLong(each -> -each.answerMicros())
                    .thenComparing(Member::name))
            .limit(MOST)
            .toList());
  }
}
