// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.tuning.Tuning;
import io.exaplane.tuning.model.InvalidInputException;
import io.exaplane.tuning.rules.Item;
import io.exaplane.tuning.version.Component;
import io.exaplane.tuning.version.MinorVersion;
import io.exaplane.tuning.version.Run;
import io.exaplane.tuning.version.VersionMatrix;
import java.util.ArrayList;
import java.util.List;

/**
 * What the model says of one name.
 *
 * @param items advised values of that name
 * @param kept why rules left it at its default
 * @param history what versions know of it, a line each
 */
record Explanation(String name, List<Item> items, List<String> kept, List<String> history) {
  /**
   * Finds a name, with or without the dashes, among what is advised and what versions know.
   *
   * @throws InvalidInputException if neither has it
   */
  static Explanation of(Tuning tuning, VersionMatrix matrix, String asked) {
    String name = asked.replaceFirst("^--", "");
    List<Item> items =
        tuning.items().stream()
            .filter(item -> item.name().equals(name) || item.name().endsWith("/" + name))
            .toList();
    List<String> history = new ArrayList<>();
    MinorVersion version = tuning.estimate().shape().version();
    for (Component component : Component.values()) {
      matrix
          .flagRuns(component, name)
          .forEach(
              run ->
                  history.add(
                      line(component, "flag", run, "default " + shown(run.value().defaultValue()))
                          + (run.value().isDeprecated()
                              ? ", deprecated: " + run.value().deprecated()
                              : "")));
      matrix
          .gateRuns(component, name)
          .forEach(
              run ->
                  history.add(
                      line(
                              component,
                              "gate",
                              run,
                              run.value().stage()
                                  + (run.value().enabledByDefault() ? ", on" : ", off"))
                          + (run.value().locked() ? ", locked" : "")));
    }
    matrix
        .kubeletDefault(version, name)
        .ifPresent(
            field ->
                history.add("kubelet configuration of " + version + ": default " + shown(field)));
    if (items.isEmpty() && history.isEmpty()) {
      throw new InvalidInputException(
          "explain",
          asked,
          "is not a flag, gate or field of any version from "
              + matrix.minors().getFirst()
              + " to "
              + matrix.minors().getLast(),
          "use a name that 'tune' prints without --explain");
    }
    return new Explanation(
        name,
        items,
        tuning.kept().stream()
            .filter(kept -> kept.name().equals(name))
            .map(kept -> kept.component() + ": " + kept.reason())
            .distinct()
            .toList(),
        List.copyOf(history));
  }

  private static String shown(String value) {
    return value.isEmpty() ? "none" : value;
  }

  private static String line(Component component, String what, Run<?> run, String rest) {
    return String.format("%s %s, %s to %s: %s", component, what, run.from(), run.until(), rest);
  }
}
