// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.exaplane.tuning", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule NOTHING_BUT_THE_JDK_AND_A_MAPPER =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("io.exaplane.tuning..", "java..", "com.fasterxml.jackson..");

  @ArchTest
  static final ArchRule NO_CLOCK_NO_PROCESS_NO_NETWORK =
      noClasses()
          .should()
          .dependOnClassesThat()
          .haveNameMatching(
              "java\\.time\\.(Instant|Clock)|java\\.lang\\.Process.*|java\\.net\\.http.*");

  @ArchTest
  static final ArchRule ROOMS_HAVE_AN_ORDER =
      slices().matching("io.exaplane.tuning.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule THE_MODEL_KNOWS_NO_RULES =
      noClasses()
          .that()
          .resideInAnyPackage("io.exaplane.tuning.model..", "io.exaplane.tuning.version..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.exaplane.tuning.rules..", "io.exaplane.tuning.apf..");
}
