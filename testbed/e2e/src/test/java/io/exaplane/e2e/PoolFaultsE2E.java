// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** What becomes of a pool that fails, is told nonsense, has others beside it, and goes. */
@Order(45)
@Tag("pool")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PoolFaultsE2E {
  private static final String TOO_SMALL = "{\"limits\":{\"memory\":\"24Mi\"}}";

  /** Pools that work, of schedulers of their own names. */
  private static final Map<String, String> OTHERS =
      new TreeMap<>(
          Map.of(
              "batch",
              "controlPlaneRef: {name: demo}, schedulerName: batch, roots: {replicas: 1}",
              "elsewhere",
              "kubeconfigSecretRef: {name: elsewhere}, maxNodes: 10, schedulerName: elsewhere, roots: {replicas: 1}"));

  /** A pool that can't be made, and what ConfigurationValid says of it. */
  private record Nonsense(String name, String spec, String reason, String text) {}

  private static final List<Nonsense> NONSENSE =
      List.of(
          new Nonsense(
              "bad-reference",
              "controlPlaneRef: {name: nobody}",
              "ControlPlaneMissing",
              "ControlPlane nobody does not exist"),
          new Nonsense(
              "bad-secret",
              "kubeconfigSecretRef: {name: nobody}, maxNodes: 1",
              "KubeconfigSecretMissing",
              "Secret nobody with the key kubeconfig"),
          new Nonsense(
              "bad-kubeconfig",
              "kubeconfigSecretRef: {name: executes}, maxNodes: 1",
              "InvalidKubeconfig",
              "exec and auth"),
          new Nonsense(
              "bad-name",
              "controlPlaneRef: {name: demo}",
              "DuplicateSchedulerName",
              "SchedulerPool demo already"));

  /** A pool whose profile only its root can judge. */
  private static final String LUCKY = "lucky";

  private static final String LUCK =
      "controlPlaneRef: {name: demo}, schedulerName: lucky, roots: {replicas: 1}, profile: {plugins: {score: {enabled: [{name: Luck}]}}}";

  @BeforeAll
  static void up() {
    DemoPool.inCharge();
    DemoPool.deploy("faults");
  }

  @Test
  @Order(1)
  void anotherRootTakesOverFromOneThatIsGone() {
    DemoPool.podsRun("faults", 1);
    String leader = DemoPool.get(DemoPool.NAME).getStatus().leader();
    Instant start = Instant.now();
    Bed.kubectl("delete", "pod", leader, "--grace-period=0", "--force");
    Bed.await(
        "another root is in charge",
        DemoPool.PATIENCE,
        () -> {
          String now = DemoPool.get(DemoPool.NAME).getStatus().leader();
          return now != null && !now.equals(leader);
        },
        () -> DemoPool.describe(DemoPool.NAME));
    System.out.printf(
        "another root in charge after %d s%n", Duration.between(start, Instant.now()).toSeconds());
    DemoPool.podsRun("faults", 2);
    DemoPool.awaitSettled();
  }

  @Test
  @Order(2)
  void aChangeThatPodsDoNotSurviveLeavesTheOthers() {
    DemoPool.patch(
        "{\"spec\":{\"fallback\":{\"afterSeconds\":10},\"shards\":{\"replicas\":0},\"roots\":{\"resources\":"
            + TOO_SMALL
            + "}}}");
    Bed.await(
        "a root that was changed ends for want of memory",
        DemoPool.PATIENCE,
        () -> DemoPool.pods(DemoPool.NAME, "root").stream().anyMatch(PoolFaultsE2E::waitsToRestart),
        () -> DemoPool.describe(DemoPool.NAME));
    awaitTold("Available", "True", "demo-root-");
    awaitTold("Degraded", "True", "demo-root has 1 of 2 pods ready");
    DemoPool.podsRun("faults", 3);
  }

  /** Waits until a condition of the pool has a status, and says something. */
  private static void awaitTold(String type, String status, String words) {
    Bed.await(
        "%s=%s says: %s".formatted(type, status, words),
        DemoPool.PATIENCE,
        () ->
            DemoPool.condition(DemoPool.NAME, type)
                .filter(c -> c.status().equals(status) && c.message().contains(words))
                .isPresent(),
        () -> DemoPool.describe(DemoPool.NAME));
  }

  @Test
  @Order(3)
  void kubeSchedulerStandsInForAPoolThatIsGoneAndGoesWhenItIsBack() {
    Bed.kubectl(
        "delete",
        "pods",
        "--selector=exaplane.io/scheduler-pool=demo,app.kubernetes.io/component=root",
        "--grace-period=0",
        "--force");
    makeOthers();
    DemoPool.awaitReason(DemoPool.NAME, "Available", "FallbackInCharge");
    // Whether or not the container runtime saw the OOM event, which comes once and may be missed.
    awaitTold("Available", "False", "demo-fallback-");
    awaitTold("Available", "False", "raise the memory limit of the container");
    Bed.awaitHolds(
        DemoPool.PATIENCE,
        () ->
            assertThat(
                    Bed.condition(Demo.get(), ConditionType.SchedulerAvailable)
                        .orElseThrow()
                        .reason())
                .isIn("PoolUnavailable", "PoolInCharge"));
    DemoPool.podsRun("faults", 4);
    DemoPool.patch("{\"spec\":{\"roots\":{\"resources\":null}}}");
    DemoPool.await(DemoPool.NAME, "Available", "True");
    DemoPool.awaitSettled();
    Bed.awaitHolds(
        DemoPool.PATIENCE,
        () ->
            assertThat(Bed.kubectl("get", "deployments", "--output=name"))
                .doesNotContain("demo-fallback"));
    DemoPool.podsRun("faults", 5);
  }

  /**
   * Takes what comes later into work: pools of other names, which start while kube-scheduler stands
   * in.
   */
  private static void makeOthers() {
    String kubeconfig =
        Bed.CLIENT
            .secrets()
            .inNamespace(Demo.NAMESPACE)
            .withName("demo-admin-kubeconfig")
            .get()
            .getData()
            .get("kubeconfig");
    secret(
        "elsewhere",
        "elsewhere",
        new String(Base64.getDecoder().decode(kubeconfig), StandardCharsets.UTF_8));
    DemoPool.make(OTHERS);
  }

  @Test
  @Order(4)
  void othersOfOtherNamesWorkBesideIt() {
    // What the next tests look at comes up meanwhile.
    makeBad();
    for (String name : OTHERS.keySet()) {
      DemoPool.await(name, "Available", "True");
      Demo.hosted("delete", "pod", name, "--ignore-not-found", "--now");
      Demo.hosted(
          "run",
          name,
          "--image=exaplane/busybox:1",
          "--overrides={\"spec\":{\"schedulerName\":\"" + name + "\"}}",
          "--",
          "sleep",
          "1000000");
    }
    for (String name : OTHERS.keySet()) {
      Demo.hosted("wait", "--for=condition=Ready", "pod/" + name, "--timeout=300s");
    }
    mayRenewItsLease("batch");
    DemoPool.delete(OTHERS.keySet());
    Bed.await(
        "what they had is gone with them",
        DemoPool.PATIENCE,
        () ->
            owned()
                .noneMatch(
                    name -> OTHERS.keySet().stream().anyMatch(o -> name.startsWith(o + "-"))),
        () -> owned().toList().toString());
  }

  /**
   * Kubernetes' own Role lets a scheduler renew any Lease in kube-system, so the operator makes no
   * Role for a Lease of another name.
   */
  private static void mayRenewItsLease(String scheduler) {
    assertThat(
            Demo.hosted(
                "auth",
                "can-i",
                "update",
                "leases.coordination.k8s.io/exaplane-" + scheduler,
                "--namespace=kube-system",
                "--as=system:kube-scheduler"))
        .contains("yes");
  }

  /** Names of what pools consist of. */
  private static Stream<String> owned() {
    return Stream.of(
            Bed.CLIENT.apps().statefulSets().inNamespace(Demo.NAMESPACE).list().getItems(),
            Bed.CLIENT.services().inNamespace(Demo.NAMESPACE).list().getItems(),
            Bed.CLIENT
                .policy()
                .v1()
                .podDisruptionBudget()
                .inNamespace(Demo.NAMESPACE)
                .list()
                .getItems(),
            Bed.CLIENT.secrets().inNamespace(Demo.NAMESPACE).list().getItems())
        .flatMap(List::stream)
        .map(object -> object.getMetadata().getName());
  }

  private static void secret(String name, String pool, String kubeconfig) {
    var secret =
        new SecretBuilder()
            .withNewMetadata()
            .withName(name)
            .withNamespace(Demo.NAMESPACE)
            .addToLabels("app.kubernetes.io/managed-by", "exaplane")
            .addToLabels("exaplane.io/scheduler-pool", pool)
            .endMetadata()
            .addToStringData("kubeconfig", kubeconfig)
            .build();
    Bed.CLIENT.resource(secret).delete();
    Bed.CLIENT.resource(secret).create();
  }

  private static void makeBad() {
    secret(
        "executes",
        "bad-kubeconfig",
        """
        clusters: [{name: c, cluster: {server: "https://[::1]:1"}}]
        users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: sh}}}]
        contexts: [{name: c, context: {cluster: c, user: u}}]
        current-context: c
        """);
    Map<String, String> specs = new TreeMap<>(Map.of(LUCKY, LUCK));
    NONSENSE.forEach(bad -> specs.put(bad.name(), bad.spec()));
    DemoPool.make(specs);
  }

  @Test
  @Order(5)
  void nonsenseIsNamedAndNothingIsMade() {
    for (Nonsense bad : NONSENSE) {
      Condition invalid = DemoPool.awaitReason(bad.name(), "ConfigurationValid", bad.reason());
      assertThat(invalid.status()).isEqualTo(Condition.FALSE);
      assertThat(invalid.message())
          .contains("spec.", bad.text())
          .as("the next action")
          .containsPattern("[;.] (?i:create|delete|use|correct|write|name|put|set) ");
      assertThat(owned()).noneMatch(name -> name.startsWith(bad.name() + "-"));
    }
    DemoPool.delete(NONSENSE.stream().map(Nonsense::name).toList());
  }

  @Test
  @Order(6)
  void aProfileThatIsNoneIsToldInTheSchedulersWords() {
    Bed.await(
        "the root's words are in Available",
        DemoPool.PATIENCE,
        () ->
            DemoPool.condition(LUCKY, "Available")
                .filter(c -> c.message().contains("Luck"))
                .isPresent(),
        () -> DemoPool.describe(LUCKY));
    DemoPool.delete(List.of(LUCKY));
  }

  @Test
  @Order(7)
  void kubeSchedulerComesBackAndThePoolGoes() {
    Demo.patch("{\"spec\":{\"scheduling\":null}}");
    Bed.await(
        "kube-scheduler stands by",
        DemoPool.PATIENCE,
        () ->
            Bed.pods(Demo.NAME, Demo.NAMESPACE, "scheduler").stream()
                    .filter(io.fabric8.kubernetes.client.readiness.Readiness::isPodReady)
                    .count()
                == 2);
    DemoPool.delete(List.of(DemoPool.NAME));
    DemoPool.podsRun("faults", 6);
    Demo.settled(DemoPool.PATIENCE);
    Demo.deleteDeployments(List.of("placed", "faults"));
    Bed.await(
        "what the pool had is gone with it",
        DemoPool.PATIENCE,
        () -> owned().noneMatch(name -> name.matches("demo-(root|relay|shard|tree).*")),
        () -> owned().toList().toString());
  }

  private static boolean waitsToRestart(Pod pod) {
    return pod.getStatus().getContainerStatuses().stream()
        .map(container -> container.getState().getWaiting())
        .anyMatch(waiting -> waiting != null && "CrashLoopBackOff".equals(waiting.getReason()));
  }
}
