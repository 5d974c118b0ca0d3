// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Which room may know which. */
@AnalyzeClasses(packages = "io.exaplane", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule apiTypesCallNobody =
      noClasses()
          .that()
          .resideInAPackage("io.exaplane.api..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.exaplane.operator..", "io.quarkus..", "io.javaoperatorsdk..")
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("io.fabric8.kubernetes.client.KubernetesClient");

  // Desired objects are pure functions of what was observed.
  @ArchTest
  static final ArchRule renderingIsPure =
      noClasses()
          .that()
          .resideInAnyPackage(
              "..controlplane.render..", "..controlplane.sizing..", "..schedulerpool.render..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.fabric8.kubernetes.client..", "io.javaoperatorsdk..")
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.time.Clock");

  // It runs as the first container of every component, from one jar on a bare Java runtime.
  @ArchTest
  static final ArchRule theWaitProgramNeedsTheJdkOnly =
      classes()
          .that()
          .resideInAPackage("..operator.wait..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", "javax.net.ssl..", "io.exaplane.operator.wait..");

  @ArchTest
  static final ArchRule storesDontKnowControlPlanes =
      noClasses()
          .that()
          .resideInAPackage("..operator.storeshard..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "..controlplane.dependent..", "..controlplane.hosted..", "..controlplane.status..");
}
