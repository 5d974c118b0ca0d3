// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ConditionType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kubernetes' own e2e tests of [sig-scheduling], on a cluster of two nodes whose only scheduler is
 * kube-scheduler first and a pool then. Each of them comes out as the committed lists say.
 */
@Order(160)
@Tag("long")
@Timeout(value = 100, unit = TimeUnit.MINUTES)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SigSchedulingE2E {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  /** The newest, or the one that SIG_SCHEDULING_KUBERNETES names; its minor needs lists. */
  private static final String VERSION =
      Optional.ofNullable(System.getenv("SIG_SCHEDULING_KUBERNETES")).orElse(Bed.VERSION);

  private static final List<String> HOSTS = List.of("wsig1", "wsig2");

  /**
   * The tests wait for a minute each, and go on, where they find no pod with such a name on a node;
   * kube-proxy is a process here.
   */
  private static final String AGENTS =
      """
      apiVersion: apps/v1
      kind: DaemonSet
      metadata: {name: kube-proxy.fluentd-elasticsearch.node-problem-detector, namespace: kube-system}
      spec:
        selector: {matchLabels: {app: agents}}
        template:
          metadata: {labels: {app: agents}}
          spec:
            terminationGracePeriodSeconds: 0
            tolerations: [{operator: Exists}]
            containers: [{name: pause, image: "registry.k8s.io/pause:3.10"}]
      """;

  @TempDir private static Path folder;
  private static Scratch scratch;

  @BeforeAll
  static void twoNodes() throws Exception {
    scratch = new Scratch("sig", VERSION, groups());
    scratch.awaitSettled(PATIENCE);
    for (String host : HOSTS) {
      Bed.exa("host", "add", host, scratch.name + "." + scratch.namespace);
      scratch.hosted("label", "node", host, "topology.kubernetes.io/zone=" + host);
    }
    scratch.hosted(
        "apply", "--filename=" + Files.writeString(folder.resolve("agents.yaml"), AGENTS));
    scratch.hosted("rollout", "status", "--namespace=kube-system", "daemonset", "--timeout=300s");
  }

  @AfterAll
  static void gone() {
    HOSTS.forEach(host -> Bed.exa("host", "remove", host));
    scratch.close();
  }

  @TestFactory
  @Order(1)
  Stream<DynamicTest> byKubeScheduler() throws Exception {
    return cameOutAsListed("kube-scheduler");
  }

  @TestFactory
  @Order(2)
  Stream<DynamicTest> byAPool() throws Exception {
    Bed.kubectl(
        "apply",
        "--filename="
            + Files.writeString(
                folder.resolve("pool.yaml"),
                """
                apiVersion: exaplane.io/v1alpha1
                kind: SchedulerPool
                metadata: {name: sig, namespace: %s}
                spec:
                  controlPlaneRef: {name: sig}
                  roots: {replicas: 1}
                  shards: {replicas: 2}
                  profile: %s
                """
                    .formatted(scratch.namespace, profile())));
    Demo.patch(
        scratch.name,
        scratch.namespace,
        "{\"spec\":{\"scheduling\":{\"mode\":\"Pool\",\"poolRef\":{\"name\":\"sig\"}}}}");
    Bed.await(
        "the pool is in charge and kube-scheduler gone",
        PATIENCE,
        () ->
            Bed.condition(
                        Bed.controlPlane(scratch.name, scratch.namespace),
                        ConditionType.SchedulerAvailable)
                    .filter(c -> c.reason().equals("PoolInCharge"))
                    .isPresent()
                && Bed.pods(scratch.name, scratch.namespace, "scheduler").isEmpty(),
        () -> Bed.describe(scratch.name, scratch.namespace));
    Bed.kubectl(
        "--namespace=" + scratch.namespace,
        "wait",
        "spool/sig",
        "--for=condition=TreeFormed",
        "--timeout=300s");
    return cameOutAsListed("pool");
  }

  /** One test for each that ran or is listed: it came out as the list says. */
  private static Stream<DynamicTest> cameOutAsListed(String scheduler) throws Exception {
    Path report = folder.resolve(scheduler + ".json");
    Bed.Run run =
        Bed.run(
            List.of(
                Bed.HOME.resolve("testbed/suites/scheduling/run").toString(),
                VERSION,
                Bed.exa("kubeconfig", scratch.name + "." + scratch.namespace).trim(),
                report.toString()));
    Path log = Bed.CACHE.resolve("test-logs/sig-scheduling-" + scheduler + ".log");
    Files.createDirectories(log.getParent());
    Files.writeString(log, run.output());
    assertThat(report).as(run.output()).exists();
    GinkgoReport ran = GinkgoReport.read(report);
    GinkgoReport listed =
        GinkgoReport.list(
            Bed.HOME.resolve("testbed/suites/scheduling/" + scheduler + "-" + minor() + ".list"));
    return ran.and(listed)
        .map(
            name ->
                DynamicTest.dynamicTest(
                    name,
                    () ->
                        assertThat(ran.outcome(name))
                            .as("%s; %s", ran.message(name), log)
                            .isEqualTo(listed.outcome(name))));
  }

  /** From 1.37 on, tests want kube-scheduler itself to know groups of pods. */
  private static String groups() {
    return minor().equals("1.36")
        ? Scratch.withGroups("v1alpha2")
        : Scratch.withGroups("v1beta1")
            .replace(
                "scheduler: {replicas: 1}",
                "scheduler: {replicas: 1, extraArgs: [{name: feature-gates, value:"
                    + " GenericWorkload=true}]}");
  }

  /** The same of a pool. */
  private static String profile() {
    return minor().equals("1.36")
        ? "{}"
        : "{plugins: {multiPoint: {enabled: [{name: GangScheduling}]}}}";
  }

  private static String minor() {
    return VERSION.substring(0, VERSION.lastIndexOf('.'));
  }
}
