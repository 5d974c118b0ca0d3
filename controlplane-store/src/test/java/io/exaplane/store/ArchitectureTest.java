// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Which room may know which: wire → api → core, journal. */
@AnalyzeClasses(
    packages = "io.exaplane.store",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  // Deterministic: no I/O, no clock, no threads of its own, no network.
  @ArchTest
  static final ArchRule theCoreIsAStateMachine =
      classes()
          .that()
          .resideInAPackage("..store.core..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java.lang..",
              "java.util..",
              "java.nio",
              "java.nio.charset",
              "java.math..",
              "org.agrona.collections..",
              "..store.core..")
          .andShould()
          .notBeAssignableTo(Thread.class);

  @ArchTest
  static final ArchRule theCoreHasNoClock =
      noClasses()
          .that()
          .resideInAPackage("..store.core..")
          .should()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(System.class, "currentTimeMillis");

  @ArchTest
  static final ArchRule theJournalKnowsNoNetwork =
      noClasses()
          .that()
          .resideInAPackage("..store.journal..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.netty..", "..store.wire..", "..store.api..", "..store.app..");

  @ArchTest
  static final ArchRule theWireKnowsNoService =
      noClasses()
          .that()
          .resideInAPackage("..store.wire..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("..store.api..", "..store.journal..", "..store.app..");

  @ArchTest
  static final ArchRule roomsOfTheCoreAreInLayers =
      slices()
          .matching("io.exaplane.store.core.(memory|index|history|lease|error)..")
          .should()
          .beFreeOfCycles();
}
