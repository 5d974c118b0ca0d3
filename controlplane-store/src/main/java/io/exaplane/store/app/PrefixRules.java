// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import io.exaplane.store.core.kind.Durability;
import io.exaplane.store.core.kind.PrefixRule;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Brings what is asked of prefixes, property by property, into one rule for each prefix. */
final class PrefixRules {
  /**
   * Of these keys somebody asks when they were written: the operator of the Leases of nodes, see
   * the store's page of ages.
   */
  private static final Set<String> COUNTED = Set.of("/registry/leases/kube-node-lease/");

  private PrefixRules() {}

  /** The rules, with those of keys that are always counted. */
  static List<PrefixRule> of(
      Durability durability,
      Map<String, Durability> durabilities,
      Map<String, Long> quotaBytes,
      Map<String, Duration> history) {
    return of(durability, durabilities, quotaBytes, history, COUNTED);
  }

  /**
   * The rules; durability and history, where a prefix says none, are those of the longest prefix of
   * it that does.
   *
   * @param durability of keys whose prefixes say none
   * @param quotaBytes above 0
   * @param history above 0
   * @param counted prefixes that get a rule whatever is said of them, so that their keys are
   *     counted
   */
  static List<PrefixRule> of(
      Durability durability,
      Map<String, Durability> durabilities,
      Map<String, Long> quotaBytes,
      Map<String, Duration> history,
      Set<String> counted) {
    TreeSet<String> prefixes = new TreeSet<>(durabilities.keySet());
    prefixes.addAll(quotaBytes.keySet());
    prefixes.addAll(history.keySet());
    prefixes.addAll(counted);
    return prefixes.stream()
        .map(
            prefix ->
                new PrefixRule(
                    prefix,
                    quotaBytes.getOrDefault(prefix, 0L),
                    inherited(prefix, durabilities, durability),
                    inherited(prefix, history, Duration.ZERO).toMillis()))
        .toList();
  }

  private static <T> T inherited(String prefix, Map<String, T> said, T otherwise) {
    return said.entrySet().stream()
        .filter(each -> prefix.startsWith(each.getKey()))
        .max(Comparator.comparingInt(each -> each.getKey().length()))
        .map(Map.Entry::getValue)
        .orElse(otherwise);
  }
}
