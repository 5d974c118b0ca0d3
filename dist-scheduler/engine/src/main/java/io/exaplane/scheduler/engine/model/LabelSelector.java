// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A condition on labels: all requirements have to hold. The empty selector matches everything; an
 * absent one nothing.
 */
public record LabelSelector(boolean matchesNothing, List<Requirement> requirements) {
  public static final LabelSelector NOTHING = new LabelSelector(true, List.of());
  public static final LabelSelector EVERYTHING = new LabelSelector(false, List.of());

  public static LabelSelector of(List<Requirement> requirements) {
    return requirements.isEmpty()
        ? EVERYTHING
        : new LabelSelector(false, List.copyOf(requirements));
  }

  /** What has all of these labels. */
  public static LabelSelector ofLabels(Map<String, String> labels) {
    List<Requirement> requirements = new ArrayList<>();
    new TreeMap<>(labels)
        .forEach(
            (key, value) ->
                requirements.add(new Requirement(key, Requirement.Operator.IN, List.of(value))));
    return of(requirements);
  }

  /** Both conditions at once, the same in whichever order they come; nothing stays nothing. */
  public LabelSelector and(LabelSelector other) {
    if (matchesNothing || other.matchesNothing) {
      return NOTHING;
    }
    return of(
        Stream.concat(requirements.stream(), other.requirements.stream())
            .distinct()
            .sorted(Comparator.comparing(Requirement::toString))
            .toList());
  }

  public boolean isEmpty() {
    return !matchesNothing && requirements.isEmpty();
  }

  public boolean matches(Labels labels) {
    if (matchesNothing) {
      return false;
    }
    for (Requirement requirement : requirements) {
      if (!requirement.matches(labels.get(requirement.key()))) {
        return false;
      }
    }
    return true;
  }
}
