// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import io.exaplane.store.core.kind.Durability;
import io.exaplane.store.core.kind.PrefixRule;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Brings what is asked of prefixes, property by property, into one rule for each prefix. */
final class PrefixRules {
  private PrefixRules() {}

  /**
   * The rules; a prefix that has a quota alone keeps the durability of the longest prefix of it
   * that says one.
   *
   * @param durability of keys whose prefixes say none
   * @param quotaBytes above 0
   */
  static List<PrefixRule> of(
      Durability durability, Map<String, Durability> durabilities, Map<String, Long> quotaBytes) {
    TreeSet<String> prefixes = new TreeSet<>(durabilities.keySet());
    prefixes.addAll(quotaBytes.keySet());
    return prefixes.stream()
        .map(
            prefix ->
                new PrefixRule(
                    prefix,
                    quotaBytes.getOrDefault(prefix, 0L),
                    inherited(prefix, durability, durabilities)))
        .toList();
  }

  private static Durability inherited(
      String prefix, Durability durability, Map<String, Durability> durabilities) {
    return durabilities.entrySet().stream()
        .filter(each -> prefix.startsWith(each.getKey()))
        .max(Comparator.comparingInt(each -> each.getKey().length()))
        .map(Map.Entry::getValue)
        .orElse(durability);
  }
}
