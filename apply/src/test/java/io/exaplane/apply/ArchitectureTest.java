// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = "io.exaplane.apply",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule NO_OPERATOR =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.exaplane.operator..",
              "io.exaplane.api..",
              "io.exaplane.cli..",
              "io.javaoperatorsdk..",
              "io.quarkus..");

  @ArchTest
  static final ArchRule DECISIONS_HAVE_NO_CLOCK_NO_THREAD_NO_CONNECTION =
      noClasses()
          .that()
          .resideInAnyPackage("..entry..", "..order..", "..inventory..", "..engine..")
          .and()
          .doNotHaveSimpleName("Runner")
          .should()
          .dependOnClassesThat()
          .haveNameMatching(
              "java\\.time\\.Clock|java\\.net\\..*|java\\.nio\\.file\\..*|java\\.util\\.Random"
                  + "|java\\.lang\\.Thread|io\\.fabric8\\..*");

  /** Sources name places and files of strangers: no word of theirs may become a command. */
  @ArchTest
  static final ArchRule NO_PROGRAM_IS_STARTED =
      noClasses()
          .should()
          .dependOnClassesThat()
          .haveNameMatching("java\\.lang\\.ProcessBuilder.*")
          .orShould()
          .callMethodWhere(
              new DescribedPredicate<JavaMethodCall>("Runtime.exec") {
                @Override
                public boolean test(JavaMethodCall call) {
                  return call.getTargetOwner().isEquivalentTo(Runtime.class)
                      && call.getName().equals("exec");
                }
              });

  @ArchTest
  static final ArchRule ROOMS_HAVE_AN_ORDER =
      slices().matching("io.exaplane.apply.(*)..").should().beFreeOfCycles();
}
