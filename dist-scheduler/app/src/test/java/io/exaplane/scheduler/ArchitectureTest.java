// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

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

  /** A pod's way: what is read goes to the root, what the root decides is committed. */
  @ArchTest
  static final ArchRule ROOMS_ARE_ENTERED_FROM_ONE_SIDE =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("kube")
          .definedBy("..scheduler.kube..")
          .layer("lease")
          .definedBy("..scheduler.lease..")
          .layer("commit")
          .definedBy("..scheduler.commit..")
          .layer("root")
          .definedBy("..scheduler.root..")
          .layer("grpc")
          .definedBy("..scheduler.grpc..")
          .layer("app")
          .definedBy("..scheduler.app..")
          .whereLayer("app")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("root")
          .mayOnlyBeAccessedByLayers("app")
          .whereLayer("grpc")
          .mayOnlyBeAccessedByLayers("app")
          .whereLayer("commit")
          .mayOnlyBeAccessedByLayers("root", "app")
          .whereLayer("lease")
          .mayOnlyBeAccessedByLayers("commit", "app");

  /** What the tree's processes know and do is apart from how they speak. */
  @ArchTest
  static final ArchRule ONE_ROOM_KNOWS_STREAMS =
      noClasses()
          .that()
          .resideInAnyPackage("..kube..", "..lease..", "..commit..", "..root..", "..app..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.grpc..", "com.google.protobuf..");

  /** So that what reads and writes can be tested without a server. */
  @ArchTest
  static final ArchRule ONE_CLASS_KNOWS_THE_CLIENT =
      noClasses()
          .that()
          .resideInAnyPackage("..kube..", "..lease..", "..commit..", "..root..")
          .and()
          .haveSimpleNameNotStartingWith("Fabric8")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.fabric8..");
}
