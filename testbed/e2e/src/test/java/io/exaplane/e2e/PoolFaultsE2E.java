// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** What becomes of a pool that fails, is told nonsense, has others beside it, and goes. */
@Order(45)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PoolFaultsE2E {
  private static final String TOO_SMALL = "{\"limits\":{\"memory\":\"24Mi\"}}";

  @BeforeAll
  static void up() {
    DemoPool.inCharge();
    Demo.hosted("delete", "deployment", "faults", "--ignore-not-found");
    Demo.hosted(
        "create", "deployment", "faults", "--image=exaplane/busybox:1", "--", "sleep", "1000000");
  }

  @Test
  @Order(1)
  void anotherRootTakesOverFromOneThatIsGone() {
    DemoPool.podsRun("faults", 1);
    String leader = DemoPool.get(DemoPool.NAME).getStatus().leader();
    Instant start = Instant.now();
    Bed.exa("kubectl", "delete", "pod", leader, "--grace-period=0", "--force");
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
        () -> Bed.exa("kubectl", "get", "pods").contains("CrashLoopBackOff"),
        () -> DemoPool.describe(DemoPool.NAME));
    assertThat(DemoPool.await(DemoPool.NAME, "Available", "True").message()).contains("demo-root-");
    assertThat(DemoPool.await(DemoPool.NAME, "Degraded", "True").message())
        .contains("demo-root has 1 of 2 pods ready");
    DemoPool.podsRun("faults", 3);
  }

  @Test
  @Order(3)
  void kubeSchedulerStandsInForAPoolThatIsGoneAndGoesWhenItIsBack() {
    Bed.exa(
        "kubectl",
        "delete",
        "pods",
        "--selector=exaplane.io/scheduler-pool=demo,app.kubernetes.io/component=root",
        "--grace-period=0",
        "--force");
    Condition standsIn = DemoPool.awaitReason(DemoPool.NAME, "Available", "FallbackInCharge");
    assertThat(standsIn.message()).contains("demo-fallback-", "OOMKilled");
    assertThat(Bed.condition(Demo.get(), ConditionType.SchedulerAvailable).orElseThrow().reason())
        .isIn("PoolUnavailable", "PoolInCharge");
    DemoPool.podsRun("faults", 4);
    DemoPool.patch("{\"spec\":{\"roots\":{\"resources\":null}}}");
    DemoPool.await(DemoPool.NAME, "Available", "True");
    DemoPool.awaitSettled();
    assertThat(Bed.exa("kubectl", "get", "deployments", "--output=name"))
        .doesNotContain("demo-fallback");
    DemoPool.podsRun("faults", 5);
  }

  @Test
  @Order(4)
  void othersOfOtherNamesWorkBesideIt() throws Exception {
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
        new String(
            Base64.getDecoder().decode(kubeconfig), java.nio.charset.StandardCharsets.UTF_8));
    DemoPool.make(
        "batch", "controlPlaneRef: {name: demo}, schedulerName: batch, roots: {replicas: 1}");
    DemoPool.make(
        "elsewhere",
        "kubeconfigSecretRef: {name: elsewhere}, maxNodes: 10, schedulerName: elsewhere, roots: {replicas: 1}");
    for (String name : new String[] {"batch", "elsewhere"}) {
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
      Demo.hosted("wait", "--for=condition=Ready", "pod/" + name, "--timeout=60s");
      DemoPool.delete(name);
    }
    Bed.await(
        "what they had is gone with them",
        DemoPool.PATIENCE,
        () ->
            !Bed.exa("kubectl", "get", "statefulsets,pdb,secrets", "--output=name")
                .contains("/batch-"),
        () -> Bed.exa("kubectl", "get", "statefulsets,pdb,secrets", "--output=name"));
  }

  private static void secret(String name, String kubeconfig) throws Exception {
    java.nio.file.Path file = java.nio.file.Files.createTempFile("kubeconfig", "");
    java.nio.file.Files.writeString(file, kubeconfig);
    Bed.exa("kubectl", "delete", "secret", name, "--ignore-not-found");
    Bed.exa("kubectl", "create", "secret", "generic", name, "--from-file=kubeconfig=" + file);
    Bed.exa("kubectl", "label", "secret", name, "app.kubernetes.io/managed-by=exaplane");
    java.nio.file.Files.delete(file);
  }

  @Test
  @Order(5)
  void nonsenseIsNamedAndNothingIsMade() throws Exception {
    secret(
        "executes",
        """
        clusters: [{name: c, cluster: {server: "https://[::1]:1"}}]
        users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: sh}}}]
        contexts: [{name: c, context: {cluster: c, user: u}}]
        current-context: c
        """);
    bad("controlPlaneRef: {name: nobody}", "ControlPlaneMissing", "no ControlPlane nobody");
    bad(
        "kubeconfigSecretRef: {name: nobody}, maxNodes: 1",
        "KubeconfigSecretMissing",
        "no Secret nobody");
    bad("kubeconfigSecretRef: {name: executes}, maxNodes: 1", "InvalidKubeconfig", "exec and auth");
    bad("controlPlaneRef: {name: demo}", "DuplicateSchedulerName", "SchedulerPool demo already");
  }

  private static void bad(String spec, String reason, String text) throws Exception {
    DemoPool.make("bad", spec);
    try {
      Condition invalid = DemoPool.await("bad", "ConfigurationValid", "False");
      assertThat(invalid.reason()).isEqualTo(reason);
      assertThat(invalid.message()).contains("spec.", text, "the user ");
      assertThat(Bed.exa("kubectl", "get", "statefulsets", "--output=name"))
          .doesNotContain("bad-root");
    } finally {
      DemoPool.delete("bad");
    }
  }

  @Test
  @Order(6)
  void aProfileThatIsNoneIsToldInTheSchedulersWords() throws Exception {
    DemoPool.make(
        "bad",
        "controlPlaneRef: {name: demo}, schedulerName: bad, roots: {replicas: 1}, profile: {plugins: {score: {enabled: [{name: Luck}]}}}");
    try {
      Bed.await(
          "the root's words are in Available",
          DemoPool.PATIENCE,
          () ->
              DemoPool.condition("bad", "Available")
                  .filter(c -> c.message().contains("Luck"))
                  .isPresent(),
          () -> DemoPool.describe("bad"));
    } finally {
      DemoPool.delete("bad");
    }
  }

  @Test
  @Order(7)
  void kubeSchedulerComesBackAndThePoolGoes() {
    assertThat(Demo.patch("{\"spec\":{\"scheduling\":null}}").exit()).isZero();
    Bed.await(
        "kube-scheduler stands by",
        DemoPool.PATIENCE,
        () ->
            Bed.pods(Demo.NAME, Demo.NAMESPACE, "scheduler").stream()
                    .filter(io.fabric8.kubernetes.client.readiness.Readiness::isPodReady)
                    .count()
                == 2);
    DemoPool.delete(DemoPool.NAME);
    DemoPool.podsRun("faults", 6);
    Bed.awaitSettled(Demo.NAME, Demo.NAMESPACE, DemoPool.PATIENCE);
    Demo.hosted("delete", "deployment", "placed", "faults", "--ignore-not-found");
    Bed.await(
        "what the pool had is gone with it",
        DemoPool.PATIENCE,
        () ->
            !Bed.exa("kubectl", "get", "statefulsets,services,pdb,secrets", "--output=name")
                .matches("(?s).*/demo-(root|relay|shard|tree).*"),
        () -> Bed.exa("kubectl", "get", "statefulsets,services,pdb,secrets", "--output=name"));
  }
}
