// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e.chaos;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a client may find after its writes: acknowledged objects exist as they were written, deleted
 * ones stay deleted. After a request without an answer, either state may be found. For one thread
 * at a time.
 */
public final class Ledger {
  private final Map<String, Set<Optional<String>>> possible = new TreeMap<>();

  /** A request begins that gives a key this value, or takes it away. */
  public void attempted(String key, Optional<String> value) {
    possible.computeIfAbsent(key, k -> new HashSet<>(Set.of(Optional.empty()))).add(value);
  }

  /** The request that was attempted last was answered. */
  public void acknowledged(String key, Optional<String> value) {
    possible.put(key, new HashSet<>(Set.of(value)));
  }

  /** Keys whose state is known: requests for others may still be under way. */
  public List<String> known() {
    return possible.entrySet().stream()
        .filter(entry -> entry.getValue().size() == 1)
        .filter(entry -> !entry.getValue().contains(Optional.empty()))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** What is found and may not be, or may be and is not found; empty when all is right. */
  public List<String> compare(Map<String, String> found) {
    List<String> problems = new ArrayList<>();
    possible.forEach(
        (key, states) -> {
          Optional<String> state = Optional.ofNullable(found.get(key));
          if (!states.contains(state)) {
            problems.add(
                "%s is %s, and must be one of %s".formatted(key, text(state), texts(states)));
          }
        });
    found.keySet().stream()
        .filter(key -> !possible.containsKey(key))
        .forEach(key -> problems.add(key + " is there, and nobody wrote it"));
    return problems;
  }

  private static String text(Optional<String> state) {
    return state.map(value -> "'" + value + "'").orElse("absent");
  }

  private static List<String> texts(Set<Optional<String>> states) {
    return states.stream().map(Ledger::text).sorted().toList();
  }
}
