// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.compare;

import io.exaplane.tuning.version.Component;
import io.exaplane.tuning.version.MinorVersion;
import io.exaplane.tuning.version.VersionMatrix;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a flag, a gate or another word that nobody knows was meant to be. */
public final class Similar {
  private static final int SHORTEST_CUT = 4;
  private static final int LETTERS_A_TYPO = 5;
  private static final int MOST_TYPOS = 3;

  private Similar() {}

  /** What to append to the words about an unknown flag; empty if nothing is similar. */
  static String flag(
      VersionMatrix matrix, Component component, MinorVersion version, String name, String value) {
    List<String> owners =
        RunningFile.COMPARABLE.stream()
            .filter(other -> other != component && matrix.flag(other, version, name).isPresent())
            .map(Component::label)
            .toList();
    if (!owners.isEmpty()) {
      return "; it is a flag of " + String.join(", ", owners);
    }
    Collection<String> known = matrix.flags(component, version).keySet();
    List<String> longer = known.stream().filter(flag -> flag.startsWith(name)).toList();
    if (value.equals("true") && name.length() >= SHORTEST_CUT && longer.size() == 1) {
      return "; if the line is cut off, --%s was meant, and 'ps -ef -ww' prints whole lines"
          .formatted(longer.getFirst());
    }
    return nearest(known, name).map(near -> "; did you mean --" + near + "?").orElse("");
  }

  /** The same for a gate. */
  static String gate(VersionMatrix matrix, Component component, MinorVersion version, String name) {
    return nearest(matrix.gates(component, version), name)
        .map(near -> "; did you mean " + near + "?")
        .orElse("");
  }

  /** The known word with the fewest letters to change; nothing if these are many. */
  public static Optional<String> nearest(Collection<String> known, String name) {
    int most = Math.min(MOST_TYPOS, Math.max(1, name.length() / LETTERS_A_TYPO));
    return known.stream()
        .collect(Collectors.toMap(one -> one, one -> distance(one, name)))
        .entrySet()
        .stream()
        .filter(entry -> entry.getValue() <= most)
        .min(
            Comparator.comparingInt((Map.Entry<String, Integer> e) -> e.getValue())
                .thenComparing(Map.Entry::getKey))
        .map(Map.Entry::getKey);
  }

  /** Letters to change, insert or remove; case does not count. */
  private static int distance(String one, String other) {
    String a = one.toLowerCase(Locale.ROOT);
    String b = other.toLowerCase(Locale.ROOT);
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int same = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(same, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
