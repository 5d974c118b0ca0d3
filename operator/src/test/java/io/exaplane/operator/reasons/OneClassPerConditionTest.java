// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.reasons;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.exaplane.operator.status.ConditionSet;
import io.exaplane.operator.status.KubernetesStatus;
import io.exaplane.operator.status.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Each condition of each Kind has one class, which is called as the condition and says all that the
 * condition can say.
 */
@AnalyzeClasses(
    packages = "io.exaplane.operator",
    importOptions = ImportOption.DoNotIncludeTests.class)
class OneClassPerConditionTest {
  /** How a Verdict is made. */
  private static final Set<String> FACTORIES = Set.of("of", "yes", "no", "unknown", "<init>");

  @ArchTest
  static void eachConditionHasOneClass(JavaClasses all) {
    Map<String, List<String>> deciding =
        all.stream()
            .filter(OneClassPerConditionTest::decides)
            .collect(
                Collectors.groupingBy(
                    type -> DecidingClass.of(type.getName()).orElseThrow().toString(),
                    Collectors.mapping(JavaClass::getName, Collectors.toList())));
    List<String> wrong = new ArrayList<>();
    for (Class<? extends Enum<?>> kind : DecidingClass.KINDS.values()) {
      for (Enum<?> type : kind.getEnumConstants()) {
        String condition = kind.getSimpleName() + " " + type.name();
        List<String> found = deciding.getOrDefault(condition, List.of());
        boolean forTools = EveryReasonTest.FOR_TOOLS.matcher(condition).matches();
        if (found.size() != (forTools ? 0 : 1)) {
          wrong.add(condition + " " + found);
        }
      }
    }
    assertThat(wrong)
        .as(
            "conditions that have no class or several. Write a class <Type>Condition in the"
                + " package condition of the Kind, with a public static method that returns a"
                + " Verdict")
        .isEmpty();
  }

  /** Ready, Reconciling and Stalled repeat others: a list of sources for each Kind. */
  @ArchTest
  static void theConditionsForToolsAreDerivedOnceInEachKind(JavaClasses all) {
    Map<String, Long> deriving =
        all.stream()
            .filter(
                type ->
                    type.getMethodCallsFromSelf().stream()
                        .anyMatch(
                            call ->
                                call.getTargetOwner().isEquivalentTo(KubernetesStatus.class)
                                    && call.getName().equals("derive")))
            .collect(Collectors.groupingBy(kindOf(), Collectors.counting()));
    assertThat(deriving)
        .isEqualTo(
            DecidingClass.KINDS.keySet().stream()
                .collect(Collectors.toMap(Function.identity(), _ -> 1L)));
  }

  @ArchTest
  static final ArchRule classesOfConditionsAreCalledAsTheirCondition =
      classes()
          .that()
          .resideInAPackage("..condition..")
          .and()
          .haveSimpleNameEndingWith("Condition")
          .should(
              new ArchCondition<JavaClass>("be called as a condition of their Kind") {
                @Override
                public void check(JavaClass type, ConditionEvents events) {
                  events.add(new SimpleConditionEvent(type, decides(type), type.getName()));
                }
              });

  // A reporter orders conditions. What one says stands in its class. A pool's removal repeats a
  // Problem, so that nodepool is not in the list.
  @ArchTest
  static final ArchRule sentencesStandInTheClassesOfConditions =
      noClasses()
          .that()
          .resideInAnyPackage(
              "..operator.controlplane..",
              "..operator.storeshard..",
              "..operator.schedulerpool..",
              "..operator.task..")
          .and()
          .resideOutsideOfPackage("..condition..")
          .and()
          .haveSimpleNameNotEndingWith("Condition")
          .should()
          .callCodeUnitWhere(
              DescribedPredicate.describe(
                  "a condition's status, reason and message are made",
                  OneClassPerConditionTest::makes));

  private static boolean makes(JavaCall<?> call) {
    JavaClass owner = call.getTargetOwner();
    return owner.isEquivalentTo(Verdict.class) && FACTORIES.contains(call.getName())
        || owner.isEquivalentTo(ConditionSet.class)
            && call.getName().equals("set")
            && call.getTarget().getRawParameterTypes().size() > 2;
  }

  /** Whether a class is called as a condition, and says something of it. */
  private static boolean decides(JavaClass type) {
    return type.isTopLevelClass()
        && DecidingClass.of(type.getName()).isPresent()
        && type.getMethods().stream().anyMatch(method -> isFactory(type, method));
  }

  private static boolean isFactory(JavaClass type, JavaMethod method) {
    return method.getModifiers().containsAll(Set.of(JavaModifier.PUBLIC, JavaModifier.STATIC))
        && method.getReturnType().getAllInvolvedRawTypes().stream()
            .anyMatch(part -> part.isEquivalentTo(Verdict.class) || part.equals(type));
  }

  private static Function<JavaClass, String> kindOf() {
    return type ->
        DecidingClass.KINDS.keySet().stream()
            .filter(type.getName()::startsWith)
            .findFirst()
            .orElse(type.getName());
  }
}
