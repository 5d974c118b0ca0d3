// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e.chaos;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Conditions compared with what was done. Pure. */
public final class Comparison {
  private Comparison() {}

  /** The turns of a step that were not told in time. */
  public static List<Turn> missing(Step step, Instant began, List<Told> told) {
    return step.must().stream()
        .filter(turn -> told.stream().noneMatch(each -> isInTime(turn, began, each)))
        .toList();
  }

  /** All that was told and does not fit the step, or should have been told; empty when it fits. */
  public static List<String> problems(Step step, Instant began, List<Told> told) {
    List<String> problems = new ArrayList<>();
    missing(step, began, told).forEach(turn -> problems.add(step + ": no " + turn));
    told.stream()
        .filter(each -> !each.at().isBefore(began))
        .filter(each -> each.isBad() && !step.allows(each.type()))
        .forEach(each -> problems.add(step + ": not expected: " + each));
    return problems;
  }

  private static boolean isInTime(Turn turn, Instant began, Told told) {
    return turn.isMetBy(told)
        && !told.at().isBefore(began)
        && !told.at().isAfter(began.plus(turn.within()));
  }
}
