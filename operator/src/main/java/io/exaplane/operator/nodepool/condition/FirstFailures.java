// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.condition;

import io.exaplane.operator.nodepool.address.NodeCounts.Failure;
import java.util.List;
import java.util.stream.Collectors;

/** The first few nodes that need somebody, in a condition's message. Pure. */
final class FirstFailures {
  private static final int MOST = 3;

  private FirstFailures() {}

  /**
   * Their names and what to do about them.
   *
   * @param all number of nodes that need somebody, of which the list has the first
   */
  static String text(List<Failure> failures, int all) {
    String first =
        failures.stream()
            .limit(MOST)
            .map(failure -> "Node %s: %s".formatted(failure.node(), failure.message()))
            .collect(Collectors.joining(" "));
    return all > MOST ? "%s And %d more; see status.failures.".formatted(first, all - MOST) : first;
  }
}
