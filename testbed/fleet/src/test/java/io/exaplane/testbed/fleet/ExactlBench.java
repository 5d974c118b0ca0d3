// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.cli.fleet.FleetNames;
import io.exaplane.testbed.machine.Await;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The command 'exactl bench fleet' as users run it, beside the control planes of others. */
final class ExactlBench {
  private static final String PREFIX = "measured";
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final Management cluster;

  ExactlBench(Management cluster) {
    this.cluster = cluster;
  }

  void measuresAndLeavesNothing() throws Exception {
    long others = cluster.client().namespaces().list().getItems().size();
    measures();
    deletesWhenItIsEnded();
    refusesNamesOfOthers();
    assertThat(cluster.client().namespaces().list().getItems()).hasSize((int) others);
  }

  private void measures() throws Exception {
    Process process = start("--count=3", "--settle=0s", "--idle=2s", "--output=json");
    String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("'exactl bench fleet' says %s", answer).isZero();
    JsonNode report = new JsonMapper().readTree(answer);
    for (String times : List.of("request", "firstCondition", "allObjects")) {
      assertThat(report.at("/" + times + "/count").asInt()).as(times).isEqualTo(3);
    }
    assertThat(report.at("/change/reconciled/count").asInt()).isEqualTo(3);
    assertThat(report.at("/change/reconciled/p99").asDouble()).isPositive();
    assertThat(report.at("/deletedSeconds").asDouble()).isPositive();
    assertThat(ours()).isEmpty();
    System.out.printf(
        "exactl bench fleet --count=3: change p99 %.2f s, all deleted in %.1f s%n",
        report.at("/change/reconciled/p99").asDouble(), report.at("/deletedSeconds").asDouble());
  }

  /** A signal in the middle of its work; no pod was there at any time. */
  private void deletesWhenItIsEnded() throws Exception {
    Process process = start("--count=3", "--idle=1h");
    Await.until(PATIENCE, "a control plane exists", () -> !controlPlanes().isEmpty(), () -> ours());
    assertThat(cluster.client().pods().inAnyNamespace().list().getItems())
        .noneMatch(pod -> pod.getMetadata().getNamespace().startsWith(PREFIX));
    process.destroy();
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(ours()).isEmpty();
    assertThat(controlPlanes()).isEmpty();
  }

  private void refusesNamesOfOthers() throws Exception {
    String name = PREFIX + "-0001";
    cluster
        .client()
        .resource(new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build())
        .create();
    assertThat(start("--count=3").waitFor()).as("its exit code").isEqualTo(1);
    assertThat(start("--delete-only").waitFor()).as("its exit code").isZero();
    assertThat(ours()).containsExactly(name);
    cluster.client().namespaces().withName(name).delete();
    Await.until(PATIENCE, name + " is gone", () -> ours().isEmpty(), () -> ours());
  }

  private List<String> ours() {
    return cluster.client().namespaces().list().getItems().stream()
        .map(Namespace::getMetadata)
        .map(each -> each.getName())
        .filter(each -> each.startsWith(PREFIX))
        .toList();
  }

  private List<?> controlPlanes() {
    return cluster
        .client()
        .genericKubernetesResources("exaplane.io/v1alpha1", "ControlPlane")
        .inAnyNamespace()
        .withLabel(FleetNames.LABEL)
        .list()
        .getItems()
        .stream()
        .filter(each -> each.getMetadata().getNamespace().startsWith(PREFIX))
        .toList();
  }

  private Process start(String... options) throws IOException {
    List<String> words =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                "io.exaplane.cli.Exactl",
                "bench",
                "fleet",
                "--yes",
                "--kubeconfig=" + cluster.adminKubeconfig(),
                "--namespace-prefix=" + PREFIX));
    words.addAll(List.of(options));
    return new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }
}
