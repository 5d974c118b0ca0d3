// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.exaplane.scheduler.engine", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule NOTHING_BUT_THE_JDK =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("io.exaplane.scheduler.engine..", "java..");

  @ArchTest
  static final ArchRule NO_CLOCK_NO_PROCESS_NO_NETWORK_NO_FILE =
      noClasses()
          .should()
          .dependOnClassesThat()
          .haveNameMatching(
              "java\\.time\\.Clock|java\\.lang\\.Process.*|java\\.net\\..*|java\\.nio\\.file\\..*|java\\.util\\.Random");

  @ArchTest
  static final ArchRule ROOMS_HAVE_AN_ORDER =
      slices().matching("io.exaplane.scheduler.engine.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule THE_MODEL_KNOWS_NO_PLUGINS =
      noClasses()
          .that()
          .resideInAPackage("io.exaplane.scheduler.engine.model..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.exaplane.scheduler.engine.plugin..", "io.exaplane.scheduler.engine.placement..");
}
