// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.exaplane", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule KNOWS_NEITHER_OPERATOR_NOR_STORE =
      noClasses()
          .that()
          .resideInAPackage("io.exaplane.scheduler..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.exaplane.operator..", "io.exaplane.store..");

  /** So that what reads can be tested without a server. */
  @ArchTest
  static final ArchRule ONE_CLASS_KNOWS_THE_CLIENT =
      noClasses()
          .that()
          .resideInAPackage("..kube..")
          .and()
          .haveSimpleNameNotStartingWith("Fabric8")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.fabric8..");
}
