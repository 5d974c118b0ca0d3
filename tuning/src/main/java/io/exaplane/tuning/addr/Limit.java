// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.addr;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Something that runs out. Immutable.
 *
 * @param name a stable name, in lower case with dashes
 * @param kind what sets it
 * @param nodes how many nodes it carries; empty if nobody knows
 * @param quota whose number it is; empty for others
 * @param how the number comes about
 * @param next what changes it
 * @param source where its numbers are from
 * @param date of the source, or when somebody read it
 */
public record Limit(
    String name,
    Kind kind,
    Optional<UInt128> nodes,
    Optional<Quota> quota,
    String how,
    String next,
    String source,
    String date) {
  /** The smallest number of nodes first, unknown ones last. */
  static final Comparator<Limit> ORDER =
      Comparator.comparing((Limit limit) -> limit.nodes().orElse(UInt128.MAX))
          .thenComparing(limit -> limit.nodes().isEmpty());

  /** What sets a limit. */
  public enum Kind {
    QUOTA,
    ADDRESSES,
    KUBERNETES
  }

  /** What runs out first; empty if nothing is known. */
  static Optional<Limit> first(List<Limit> limits) {
    return limits.stream().filter(limit -> limit.nodes().isPresent()).min(ORDER);
  }
}
