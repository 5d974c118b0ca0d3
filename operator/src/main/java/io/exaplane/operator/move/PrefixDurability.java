// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.move;

import io.exaplane.api.v1alpha1.StoreDurability;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the writes of a store's keys survive, by their prefixes. Pure.
 *
 * @param rules in any order; the longest prefix that fits a key decides, and without one a write is
 *     on the disk
 */
record PrefixDurability(List<Rule> rules) {
  /**
   * Of all keys with a prefix, unless a longer one fits.
   *
   * @param prefix "" for all keys
   */
  record Rule(String prefix, StoreDurability durability) {}

  /**
   * Keys that a second store keeps less well.
   *
   * @param prefix of the keys
   */
  record Loss(String prefix, StoreDurability here, StoreDurability there) {}

  /** The first keys below a prefix that another store keeps less well than this one. */
  Optional<Loss> lossIn(PrefixDurability other, String prefix) {
    return Stream.concat(
            Stream.of(prefix),
            Stream.concat(rules.stream(), other.rules.stream())
                .map(Rule::prefix)
                .filter(below -> below.startsWith(prefix))
                .sorted())
        .map(keys -> new Loss(keys, of(keys), other.of(keys)))
        .filter(loss -> loss.there().compareTo(loss.here()) < 0)
        .findFirst();
  }

  private StoreDurability of(String keys) {
    Optional<Rule> longest = Optional.empty();
    for (Rule rule : rules) {
      boolean isLonger =
          longest.map(known -> known.prefix().length() < rule.prefix().length()).orElse(true);
      if (isLonger && keys.startsWith(rule.prefix())) {
        longest = Optional.of(rule);
      }
    }
    return longest.map(Rule::durability).orElse(StoreDurability.Fsync);
  }
}
