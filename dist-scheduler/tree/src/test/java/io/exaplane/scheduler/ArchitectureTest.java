// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = {
      "io.exaplane.scheduler.tree",
      "io.exaplane.scheduler.membership",
      "io.exaplane.scheduler.relay",
      "io.exaplane.scheduler.shard",
      "io.exaplane.scheduler.gather"
    },
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule NOTHING_BUT_THE_ENGINE_AND_THE_JDK =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("io.exaplane.scheduler..", "java..");

  @ArchTest
  static final ArchRule NO_TRANSPORT_NO_CLOCK_NO_CHANCE =
      noClasses()
          .that()
          // It reads the checksums of the code that runs, which are the same each time.
          .doNotHaveSimpleName("Build")
          .should()
          .dependOnClassesThat()
          .haveNameMatching(
              "java\\.time\\.Clock|java\\.net\\..*|java\\.nio\\.file\\..*|java\\.util\\.Random|java\\.lang\\.Thread");

  @ArchTest
  static final ArchRule ROOMS_HAVE_AN_ORDER =
      slices().matching("io.exaplane.scheduler.(*)..").should().beFreeOfCycles();
}
