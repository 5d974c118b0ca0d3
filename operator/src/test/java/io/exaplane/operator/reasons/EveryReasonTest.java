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
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Each reason and each type of condition is made by the operator's code in some unit test; one that
 * is not can't occur, or nobody knows whether it does. Runs after all other tests, on what {@link
 * ReasonRecorder} wrote.
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
        dynamicTest("each condition is good and not good", this::eachConditionIsGoodAndNotGood));
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
