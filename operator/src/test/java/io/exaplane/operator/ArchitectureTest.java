// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import io.exaplane.operator.standby.Rehearsal;
import io.fabric8.kubernetes.client.Client;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.ConfigurationService;
import io.javaoperatorsdk.operator.api.reconciler.Workflow;
import io.javaoperatorsdk.operator.api.reconciler.dependent.managed.ManagedWorkflowAndDependentResourceContext;
import java.net.http.HttpClient;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/** Which room may know which. */
@AnalyzeClasses(packages = "io.exaplane", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  /** Each knows the API types and libraries, and no other package of the operator. */
  private static final String[] GROUND = {
    "..operator.names",
    "..operator.net",
    "..operator.outcome",
    "..operator.config",
    "..operator.probe",
    "..operator.lease",
    "..operator.cache",
    "..operator.wait"
  };

  /** What kinds have in common. */
  private static final String[] SHARED = {
    "..operator.status",
    "..operator.rollout",
    "..operator.restart",
    "..operator.order",
    "..operator.guard",
    "..operator.pod",
    "..operator.pki",
    "..operator.rotation",
    "..operator.address",
    "..operator.management",
    "..operator.bundle",
    "..operator.dependent",
    "..operator.install",
    "..operator.metrics",
    "..operator.health",
    "..operator.standby"
  };

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
              "..operator.names..",
              "..operator.net..",
              "..operator.pod..",
              "..operator.rollout..",
              "..operator.guard..",
              "..operator.order..",
              "..storeshard.resources..",
              "..controlplane.render..",
              "..controlplane.sizing..",
              "..controlplane.builtin..",
              "..schedulerpool.render..",
              "..nodepool.render..",
              "..nodepool.join..",
              "..controlplane.condition..",
              "..schedulerpool.condition..",
              "..nodepool.condition..",
              "..nodepool.check..",
              "..storeshard.condition..",
              "..operator.task.condition..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.fabric8.kubernetes.client..", "io.javaoperatorsdk..")
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.time.Clock");

  // Pages are made of what the informers hold: whoever looks costs the API server reviews only.
  @ArchTest
  static final ArchRule pagesAskNobody =
      noClasses()
          .that()
          .resideInAPackage("..operator.console..")
          .and()
          .haveNameNotMatching(".*\\.(Console|ConsoleKeys|KubernetesReviews)(\\$.*)?")
          .should()
          .dependOnClassesThat()
          .areAssignableTo(Client.class);

  // Time-outs, keys and threads are decided in one place.
  @ArchTest
  static final ArchRule oneClassOpensClients =
      noClasses()
          .that()
          .resideInAPackage("io.exaplane.operator..")
          .and()
          .doNotHaveSimpleName("HostedClients")
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("io.fabric8.kubernetes.client.KubernetesClientBuilder");

  // A standby cannot write: what it runs holds nothing that leads to a client, and is given none.
  @ArchTest
  static final ArchRule noRehearsalReachesAClient =
      classes()
          .that()
          .implement(Rehearsal.class)
          .should(
              new ArchCondition<JavaClass>("hold nothing that leads to a client") {
                @Override
                public void check(JavaClass rehearsal, ConditionEvents events) {
                  String path = pathToClient(rehearsal, new HashSet<>());
                  events.add(new SimpleConditionEvent(rehearsal, path == null, "" + path));
                }
              });

  private static String pathToClient(JavaClass type, Set<JavaClass> seen) {
    if (type.isAssignableTo(Client.class)
        || type.isAssignableTo(HttpClient.class)
        || type.isAssignableTo(Operator.class)) {
      return type.getSimpleName();
    }
    if (!type.getPackageName().startsWith("io.exaplane.operator") || !seen.add(type)) {
      return null;
    }
    return type.getAllFields().stream()
        .flatMap(field -> field.getAllInvolvedRawTypes().stream())
        .map(held -> pathToClient(held, seen))
        .filter(Objects::nonNull)
        .map(path -> type.getSimpleName() + " > " + path)
        .findFirst()
        .orElse(null);
  }

  // A rehearsal's context must not lead to the client of the SDK by a detour.
  @ArchTest
  static final ArchRule nobodyTakesTheClientOfTheConfiguration =
      noClasses()
          .should()
          .callMethod(ConfigurationService.class, "getKubernetesClient")
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("jakarta.enterprise.inject.spi.CDI");

  // A workflow that the SDK runs by itself throws before the reconciler could tell of a refusal.
  @ArchTest
  static final ArchRule refusalsOfWorkflowsAreTaken =
      noClasses()
          .that()
          .doNotHaveSimpleName("Outcomes")
          .should()
          .callMethod(ManagedWorkflowAndDependentResourceContext.class, "reconcileManagedWorkflow")
          .orShould(
              new ArchCondition<JavaClass>("have a workflow that the SDK runs by itself") {
                @Override
                public void check(JavaClass reconciler, ConditionEvents events) {
                  boolean implicit =
                      reconciler
                          .tryGetAnnotationOfType(Workflow.class)
                          .filter(workflow -> !workflow.explicitInvocation())
                          .isPresent();
                  events.add(new SimpleConditionEvent(reconciler, implicit, reconciler.getName()));
                }
              });

  // Certificates are issued by a step of their own.
  @ArchTest
  static final ArchRule lookingIssuesNothing =
      noClasses()
          .that()
          .resideInAPackage("..controlplane.observe..")
          .should()
          .dependOnClassesThat()
          .haveNameMatching("io\\.exaplane\\.operator\\.pki\\.(PkiReconciler|SecretStore)");

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
  static final ArchRule noPackageIsPartOfACycle =
      slices().matching("io.exaplane.operator.(**)").should().beFreeOfCycles();

  // DESIGN.md draws the floors. Whoever adds a package says here on which it is.
  @ArchTest
  static final ArchRule eachFloorKnowsOnlyThoseBelow =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("console")
          .definedBy("..operator.console..")
          .layer("control planes")
          .definedBy("..operator.controlplane..")
          .layer("stores")
          .definedBy("..operator.storeshard..")
          .layer("pools")
          .definedBy("..operator.schedulerpool..")
          .layer("node pools")
          .definedBy("..operator.nodepool..")
          .layer("tasks")
          .definedBy("..operator.task..")
          .layer("moves")
          .definedBy("..operator.move..")
          .layer("hosted")
          .definedBy("..operator.hosted..")
          .layer("shared")
          .definedBy(SHARED)
          .layer("ground")
          .definedBy(GROUND)
          .whereLayer("console")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("console")
          .mayOnlyAccessLayers("control planes", "stores", "pools", "shared", "ground")
          .whereLayer("control planes")
          .mayOnlyAccessLayers("stores", "moves", "hosted", "shared", "ground")
          .whereLayer("stores")
          .mayOnlyAccessLayers("hosted", "shared", "ground")
          .whereLayer("pools")
          .mayOnlyAccessLayers("hosted", "shared", "ground")
          .whereLayer("node pools")
          .mayOnlyAccessLayers("hosted", "shared", "ground")
          .whereLayer("tasks")
          .mayOnlyAccessLayers("moves", "hosted", "shared", "ground")
          .whereLayer("moves")
          .mayOnlyAccessLayers("hosted", "shared", "ground")
          .whereLayer("hosted")
          .mayOnlyAccessLayers("shared", "ground")
          .whereLayer("shared")
          .mayOnlyAccessLayers("ground")
          .whereLayer("ground")
          .mayNotAccessAnyLayer()
          .ensureAllClassesAreContainedInArchitectureIgnoring(
              "io.exaplane.api..", "io.exaplane.tuning..", "io.exaplane.apply..");

  @ArchTest
  static final ArchRule onTheGroundNobodyKnowsAnother =
      slices()
          .matching("io.exaplane.operator.(names|net|outcome|config|probe|lease|cache|wait)")
          .should()
          .notDependOnEachOther();

  // A rule that nobody runs would hold nothing.
  @ArchTest
  static final ArchRule eachRuleAboutASpecIsInTheList =
      classes()
          .that()
          .implement("io.exaplane.operator.controlplane.check.SpecRule")
          .should(
              new ArchCondition<JavaClass>("be made by ConfigurationCheck") {
                @Override
                public void check(JavaClass rule, ConditionEvents events) {
                  events.add(
                      new SimpleConditionEvent(
                          rule,
                          rule.getConstructorCallsToSelf().stream()
                              .map(call -> call.getOriginOwner().getSimpleName())
                              .anyMatch("ConfigurationCheck"::equals),
                          rule.getName() + " is made by ConfigurationCheck"));
                }
              });

  @ArchTest
  static final ArchRule checksKnowEachOtherOneWay =
      slices().assignedFrom(eachClass("..controlplane.check..")).should().beFreeOfCycles();

  /** Every top-level class of some packages as a slice of its own. */
  private static SliceAssignment eachClass(String... packages) {
    return new SliceAssignment() {
      @Override
      public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
        return resideInAnyPackage(packages).test(javaClass)
            ? SliceIdentifier.of(topLevel(javaClass))
            : SliceIdentifier.ignore();
      }

      @Override
      public String getDescription() {
        return "each class of " + String.join(", ", packages);
      }
    };
  }

  private static String topLevel(JavaClass javaClass) {
    String name = javaClass.getName();
    return name.contains("$") ? name.substring(0, name.indexOf('$')) : name;
  }
}
