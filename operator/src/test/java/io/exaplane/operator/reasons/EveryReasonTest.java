// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.reasons;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.NodePoolCondition;
import io.exaplane.api.v1alpha1.PoolCondition;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreCondition;
import io.exaplane.api.v1alpha1.TaskCondition;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Each reason and each type of condition is made by the operator's code in some unit test; one that
 * is not can't occur, or nobody knows whether it does. So is each reason of each condition that
 * docs/conditions.md has, and no other. Runs after all other tests, on what {@link ReasonRecorder}
 * wrote.
 */
class EveryReasonTest {
  /** Surefire hands the property on that chooses tests. */
  private static final String CHOSEN = "test";

  /** The launcher runs these, in other steps. */
  private static final String PROCESS_TEST = "ProcessTest";

  /** The conditions of each Kind. */
  private static final List<Class<? extends Enum<?>>> KINDS =
      List.of(
          ConditionType.class,
          StoreCondition.class,
          PoolCondition.class,
          NodePoolCondition.class,
          TaskCondition.class);

  /**
   * Those that say word by word what was found elsewhere: of the spec, of certificates, of an
   * address, of a size, or of the pods that this operator would make. That a test made one with the
   * reason proves that they can have it.
   */
  private static final Set<String> REPEATING =
      Set.of(
          "ConditionType ConfigurationValid",
          "ConditionType CertificatesValid",
          "ConditionType EndpointReady",
          "ConditionType SizingValid",
          "ConditionType OperatorUpdatePending",
          "StoreCondition ConfigurationValid",
          "StoreCondition OperatorUpdatePending",
          "PoolCondition ConfigurationValid",
          "PoolCondition Available",
          "PoolCondition OperatorUpdatePending",
          "NodePoolCondition ConfigurationValid",
          "NodePoolCondition JoinMaterialReady");

  /** Those for tools repeat others; of a store, Ready is a condition like others. */
  static final Pattern FOR_TOOLS =
      Pattern.compile(
          "\\w+ (Reconciling|Stalled)|(ConditionType|PoolCondition|NodePoolCondition|TaskCondition) Ready");

  private Set<String> lines;

  /** Both, or nothing when somebody chose some tests: these prove nothing about the others. */
  @TestFactory
  Stream<DynamicTest> everyReasonAndCondition() throws IOException {
    if (System.getProperty(CHOSEN) != null) {
      System.out.println("reasons are not looked at, since only some tests were chosen");
      return Stream.empty();
    }
    String folder = System.getProperty(ReasonRecorder.FOLDER);
    assumeTrue(folder != null, "Maven did not run the tests");
    lines = new TreeSet<>();
    try (Stream<Path> files = Files.list(Path.of(folder))) {
      for (Path file : files.toList()) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    assertThat(missingClasses()).as("test classes that did not run before").isEmpty();
    return Stream.of(
        dynamicTest("each reason is made", this::eachReasonIsMade),
        dynamicTest("each condition is good and not good", this::eachConditionIsGoodAndNotGood),
        dynamicTest("conditions have the reasons that docs name", this::noOtherReason),
        dynamicTest("each reason that docs name is one of its conditions", this::eachPairIsMade));
  }

  private void noOtherReason() throws IOException {
    Map<String, Set<String>> docs = DocumentedReasons.read().pairs();
    assertThat(
            pairs().entrySet().stream()
                .flatMap(
                    each ->
                        each.getValue().stream()
                            .filter(condition -> !FOR_TOOLS.matcher(condition).matches())
                            .filter(condition -> !isNamed(docs, each.getKey(), condition))
                            .map(condition -> condition + " " + each.getKey())))
        .as(
            "conditions and reasons that the operator's code brings together in a test, and the"
                + " table in docs/conditions.md does not. Add the condition to the row of the"
                + " reason")
        .isEmpty();
  }

  /** While a spec can't be applied, Progressing repeats why. */
  private static boolean isNamed(Map<String, Set<String>> docs, String reason, String condition) {
    Set<String> named = docs.getOrDefault(reason, Set.of());
    return reason.equals(Reason.AsExpected.name())
        || named.contains(condition)
        || condition.endsWith(" Progressing")
            && named.contains(condition.replace("Progressing", "ConfigurationValid"));
  }

  private void eachPairIsMade() throws IOException {
    Map<String, Set<String>> made = pairs();
    Set<String> repeated = words("repeated", 1);
    Set<String> events = words("event", 1);
    List<String> absent = new ArrayList<>();
    DocumentedReasons.read()
        .pairs()
        .forEach(
            (reason, conditions) ->
                conditions.stream()
                    .filter(
                        condition ->
                            condition.equals(DocumentedReasons.EVENT)
                                ? !events.contains(reason)
                                : !made.getOrDefault(reason, Set.of()).contains(condition)
                                    && !(REPEATING.contains(condition)
                                        && repeated.contains(reason)))
                    .forEach(condition -> absent.add(condition + " " + reason)));
    assertThat(absent)
        .as(
            "conditions and reasons that docs/conditions.md brings together, and the operator's"
                + " code in no test. Write a test in which it does, or take the condition out of"
                + " the row of the reason")
        .isEmpty();
  }

  /** By reason, the Kinds and types of the conditions that had it. */
  private Map<String, Set<String>> pairs() {
    Map<String, Set<String>> pairs = new TreeMap<>();
    for (String line : lines) {
      String[] words = line.split(" ");
      if (words[0].equals("pair") || words[0].equals("told")) {
        pairs
            .computeIfAbsent(words[words.length - 1], reason -> new TreeSet<>())
            .add(words[1] + " " + words[2]);
      }
    }
    return pairs;
  }

  private void eachReasonIsMade() {
    Set<String> made = words("made", 1);
    assertThat(
            Arrays.stream(Reason.values()).map(Reason::name).filter(name -> !made.contains(name)))
        .as(
            "reasons that the operator's code makes in no test. Write a test in which it does, or"
                + " delete the reason")
        .isEmpty();
  }

  /** A condition that is never the one or never the other says nothing. */
  private void eachConditionIsGoodAndNotGood() {
    List<String> absent = new ArrayList<>();
    for (Class<? extends Enum<?>> kind : KINDS) {
      for (Enum<?> type : kind.getEnumConstants()) {
        for (String status : List.of("True", "False")) {
          String told = "told %s %s %s ".formatted(kind.getSimpleName(), type.name(), status);
          if (lines.stream().noneMatch(line -> line.startsWith(told))) {
            absent.add(told.strip());
          }
        }
      }
    }
    assertThat(absent).as("conditions that the operator's code sets in no test").isEmpty();
  }

  private Set<String> words(String first, int number) {
    return lines.stream()
        .map(line -> line.split(" "))
        .filter(words -> words[0].equals(first))
        .map(words -> words[number])
        .collect(Collectors.toSet());
  }

  private List<String> missingClasses() throws IOException {
    Set<String> ran = words("ran", 1);
    Path root = Path.of("target/test-classes");
    try (Stream<Path> classes = Files.walk(root)) {
      return classes
          .map(file -> root.relativize(file).toString())
          .filter(file -> file.endsWith("Test.class") && !file.contains("$"))
          .map(file -> file.replace(".class", "").replace('/', '.'))
          .filter(name -> !name.equals(EveryReasonTest.class.getName()))
          .filter(name -> !name.endsWith(PROCESS_TEST))
          .filter(name -> !ran.contains(name))
          .filter(EveryReasonTest::hasTests)
          .toList();
    }
  }

  private static boolean hasTests(String name) {
    try {
      for (Method method : Class.forName(name).getDeclaredMethods()) {
        if (AnnotationSupport.isAnnotated(method, Testable.class)) {
          return true;
        }
      }
      return false;
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(name, e);
    }
  }
}
