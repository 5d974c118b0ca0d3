// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.exaplane.api.duration.Durations;
import java.security.KeyFactory;
import java.time.Duration;
import java.util.Set;

/** What would be the same twice is written once: who writes it again is told where it is. */
@AnalyzeClasses(packages = "io.exaplane", importOptions = ImportOption.DoNotIncludeTests.class)
class OnePlaceTest {
  /** Builders of what every pod has. */
  private static final Set<String> PIECES =
      Set.of(
          "PodSpecBuilder",
          "PodSecurityContextBuilder",
          "SecurityContextBuilder",
          "ContainerBuilder",
          "ProbeBuilder",
          "VolumeMountBuilder",
          "TopologySpreadConstraintBuilder");

  private static final String PIECES_IN_PLACE =
      "withNew(Readiness|Liveness|Startup)Probe|withNewDownwardAPI"
          + "|addNewTopologySpreadConstraint|addNewVolumeMount";

  private static final String MODEL = "io.fabric8.kubernetes.api.model.";

  // The form that a field has is known to Durations. Go's durations, of flags, are the model's.
  @ArchTest
  static final ArchRule durationsAreReadInOnePlace =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName(Durations.class.getName())
          .should()
          .callMethod(Duration.class, "parse", CharSequence.class);

  // The client library takes every key for one of RSA, and looks for tokens, unless it is told.
  // What it is told stands beside the builder of clients.
  @ArchTest
  static final ArchRule oneClassTellsClientsOfKeysAndTokens =
      noClasses()
          .that()
          .resideInAPackage("io.exaplane.operator..")
          .and()
          .doNotHaveSimpleName("HostedClients")
          .should()
          .callMethodWhere(
              describe(
                  "the algorithm of a client's key, or a source of tokens, is set",
                  call -> call.getName().matches("(set|with)(ClientKeyAlgo|OauthTokenProvider)")));

  // The wait program reads the operator's own keys, and knows the JDK only.
  @ArchTest
  static final ArchRule oneClassKnowsTheAlgorithmsOfKeys =
      noClasses()
          .that()
          .resideInAPackage("io.exaplane.operator..")
          .and()
          .resideOutsideOfPackage("..operator.wait..")
          .and()
          .doNotHaveSimpleName("ClientKeys")
          .should()
          .callMethod(KeyFactory.class, "getInstance", String.class);

  // Pods of all kinds are made of the pieces in the package pod. To change an object that exists
  // is no beginning.
  @ArchTest
  static final ArchRule podsAreMadeOfTheSamePieces =
      noClasses()
          .that()
          .resideInAPackage("io.exaplane.operator..")
          .and()
          .resideOutsideOfPackage("..operator.pod..")
          .should()
          .callCodeUnitWhere(
              describe("a piece of a pod is begun from nothing", OnePlaceTest::beginsAPiece));

  private static boolean beginsAPiece(JavaCall<?> call) {
    if (!call.getTargetOwner().getName().startsWith(MODEL)) {
      return false;
    }
    return call.getName().equals("<init>")
        ? PIECES.contains(call.getTargetOwner().getSimpleName())
            && call.getTarget().getRawParameterTypes().isEmpty()
        : call.getName().matches(PIECES_IN_PLACE);
  }
}
