// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The floors inside a Kind, as DESIGN.md draws them. */
@AnalyzeClasses(
    packages = "io.exaplane.operator",
    importOptions = ImportOption.DoNotIncludeTests.class)
class InnerFloorsTest {
  private static final String ROOT = "io.exaplane.operator.";

  /** From the top down. "" is the package of the reconciler itself. */
  private static final Map<String, List<Set<String>>> FLOORS =
      Map.of(
          "controlplane",
          List.of(
              Set.of(""),
              Set.of("status"),
              Set.of("condition"),
              Set.of("addon", "certificate", "dependent", "fleet", "gate", "hosted"),
              Set.of("network", "observe"),
              Set.of("check", "render", "retention"),
              Set.of("builtin", "rollout", "sizing")),
          "storeshard",
          List.of(
              Set.of(""),
              Set.of("status"),
              Set.of("condition"),
              Set.of("usage"),
              Set.of("dependent", "gate"),
              Set.of("claim"),
              Set.of("data", "resources", "restart", "set")),
          "schedulerpool",
          List.of(
              Set.of(""),
              Set.of("status"),
              Set.of("condition", "dependent", "gate"),
              Set.of("observe"),
              Set.of("hosted", "render")),
          "nodepool",
          List.of(
              Set.of(""),
              Set.of("status"),
              Set.of("hosted", "observe"),
              Set.of("check", "condition"),
              Set.of("agents", "render", "repair", "upgrade"),
              Set.of("address"),
              Set.of("heartbeat", "join")),
          "task",
          List.of(Set.of(""), Set.of("condition"), Set.of("observe")));

  /** Where a class is; the floor counts from the top. */
  private record Place(String kind, String room, int floor) {}

  @ArchTest static final ArchRule eachInnerFloorKnowsOnlyThoseBelow = rule(FLOORS);

  // A rule that finds nothing may look at nothing.
  @ArchTest
  static void aFloorThatKnowsOneAboveIsFound(JavaClasses classes) {
    Map<String, List<Set<String>>> upsideDown =
        FLOORS.entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, each -> reversed(each.getValue())));
    upsideDown.forEach(
        (kind, floors) ->
            assertThat(rule(Map.of(kind, floors)).evaluate(classes).hasViolation())
                .as(kind)
                .isTrue());
  }

  @ArchTest
  static void aRoomWithoutAFloorIsFound(JavaClasses classes) {
    assertThat(rule(Map.of("storeshard", List.of(Set.of("")))).evaluate(classes).hasViolation())
        .isTrue();
  }

  private static List<Set<String>> reversed(List<Set<String>> floors) {
    List<Set<String>> turned = new ArrayList<>(floors);
    Collections.reverse(turned);
    return turned;
  }

  private static ArchRule rule(Map<String, List<Set<String>>> floors) {
    return ArchRuleDefinition.classes()
        .that()
        .resideInAnyPackage(
            floors.keySet().stream().map(kind -> ROOT + kind + "..").toArray(String[]::new))
        .should(
            new ArchCondition<JavaClass>("know only the floors below in their Kind") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                Optional<Place> own = place(type, floors);
                if (own.isEmpty()) {
                  events.add(
                      SimpleConditionEvent.violated(
                          type, type.getPackageName() + " has no floor in InnerFloorsTest"));
                  return;
                }
                for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                  place(dependency.getTargetClass().getBaseComponentType(), floors)
                      .filter(other -> isWrong(own.get(), other))
                      .ifPresent(
                          _ ->
                              events.add(
                                  SimpleConditionEvent.violated(
                                      type, dependency.getDescription())));
                }
              }
            });
  }

  private static boolean isWrong(Place own, Place other) {
    return own.kind().equals(other.kind())
        && !own.room().equals(other.room())
        && other.floor() <= own.floor();
  }

  /** Nothing for a class of no Kind, or in a room without a floor. */
  private static Optional<Place> place(JavaClass type, Map<String, List<Set<String>>> floors) {
    String name = type.getPackageName();
    if (!name.startsWith(ROOT)) {
      return Optional.empty();
    }
    String[] parts = name.substring(ROOT.length()).split("\\.", 2);
    List<Set<String>> own = floors.getOrDefault(parts[0], List.of());
    String room = parts.length == 1 ? "" : parts[1];
    return IntStream.range(0, own.size())
        .filter(floor -> own.get(floor).contains(room))
        .mapToObj(floor -> new Place(parts[0], room, floor))
        .findFirst();
  }
}
