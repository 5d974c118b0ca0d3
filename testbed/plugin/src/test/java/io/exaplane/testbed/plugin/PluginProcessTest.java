// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.cli.Exactl;
import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.plugin.RightsTable.Right;
import io.exaplane.testbed.plugin.RightsTable.Row;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each row of the table of rights, and kubectl itself. */
class PluginProcessTest {
  private static final Path PAGE = Path.of("../../docs/kubectl-plugin.md");

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir private static Path folder;
  private static Cluster cluster;
  private static List<Case> cases;

  @TempDir private Path own;

  /**
   * A command that a user runs.
   *
   * @param lacks the right that the user does not have; null for none
   */
  record Case(int user, Row row, Right lacks) {
    @Override
    public String toString() {
      return row.command() + (lacks == null ? "" : " without " + lacks);
    }
  }

  /** What a command said. */
  private record Said(int code, String out, String err) {}

  @BeforeAll
  static void start() throws Exception {
    cases = cases().toList();
    cluster = new Cluster(folder, cases.size());
    for (Case each : cases) {
      boolean everywhere = each.row().command().contains("--all-namespaces");
      cluster.allow(each.user(), each.row().without(each.lacks()), everywhere);
    }
    for (Case each : cases) {
      for (Right first : each.row().without(each.lacks()).stream().limit(1).toList()) {
        cluster.awaitRight(each.user(), first);
      }
    }
  }

  @AfterAll
  static void end() {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** Each row with all of its rights, and without each one. */
  static Stream<Case> cases() throws Exception {
    List<Case> found = new ArrayList<>();
    List<Row> rows = RightsTable.read(PAGE);
    assertThat(rows).as("rows of " + PAGE).hasSizeGreaterThanOrEqualTo(15);
    for (Row row : rows) {
      found.add(new Case(found.size(), row, null));
      for (Right right : row.all()) {
        found.add(new Case(found.size(), row, right));
      }
    }
    return found.stream();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void theTableOfRightsIsTrue(Case tried) throws Exception {
    if (Stream.of("destroy", "reshard", "rollout").anyMatch(tried.row().command()::startsWith)) {
      cluster.reset();
      cluster.change(
          tried.row().command().contains("resume")
              ? "{\"pausedUntil\":\"true\"}"
              : "{\"pausedUntil\":null,\"rollout\":{\"bundle\":\"b2\"}}");
    }
    Path kubeconfig = cluster.kubeconfig(tried.user());
    List<String> words = words(tried.row().command());
    Said said =
        switch (words.getFirst()) {
          case "console" ->
              ended(
                  kubeconfig, words, tried.row().more().contains(tried.lacks()) ? "not shown" : "");
          case "reshard" -> moved(kubeconfig, words);
          default -> run(kubeconfig, words);
        };
    if (tried.lacks() == null) {
      assertThat(said.code()).as("%s", said).isZero();
      assertThat(said.out()).doesNotContain("not shown");
    } else if (tried.row().more().contains(tried.lacks())) {
      assertThat(said.code()).as("%s", said).isZero();
      assertThat(said.out()).contains("not shown: the account has no right to " + tried.lacks());
    } else {
      assertThat(said.code()).as("%s", said).isEqualTo(1);
      assertThat(said.err()).contains("must have the right to " + tried.lacks());
    }
  }

  /** As a user would type it. */
  private List<String> words(String command) {
    String typed =
        command
            .replace("CONDITION", command.contains("shard/") ? "Ready" : "StoresReady")
            .replace("FIELD", "cpl.spec.maxNodes")
            .replace("VALUE", "max-requests-inflight")
            .replace("NODEPOOL", "workers")
            .replace("shard/NAME", "shard/demo-default")
            .replace("NAME", "demo");
    List<String> words = new ArrayList<>(List.of(typed.split(" ")));
    switch (words.getFirst()) {
      case "reshard" ->
          words.addAll(List.of("--to=leases", "--resources=leases", "--confirm=demo"));
      case "destroy" -> words.addAll(List.of("--confirm", "demo"));
      case "console" -> words.addAll(List.of("--namespace", Cluster.NAMESPACE));
      case "report" -> words.addAll(List.of("--file", own.resolve("report.tar.gz").toString()));
      // The container has a log of before its last restart only.
      case "logs" -> words.add("--previous");
      default -> {
        // As it is.
      }
    }
    return words;
  }

  /** A command that goes on until it is ended is ended when it said a line, and that. */
  private static Said ended(Path kubeconfig, List<String> words, String text) throws Exception {
    StringWriter out = new StringWriter();
    AtomicReference<Said> said = new AtomicReference<>();
    Thread command = Thread.ofPlatform().start(() -> said.set(run(kubeconfig, words, out)));
    Await.until(
        PATIENCE,
        words + " says something",
        () -> !command.isAlive() || out.toString().contains("\n") && out.toString().contains(text),
        out::toString);
    command.interrupt();
    command.join();
    return said.get();
  }

  /** A command that follows a task ends when the task does. */
  private static Said moved(Path kubeconfig, List<String> words) throws Exception {
    AtomicReference<Said> said = new AtomicReference<>();
    Thread command = Thread.ofPlatform().start(() -> said.set(run(kubeconfig, words)));
    Await.until(
        PATIENCE,
        words + " ends",
        () -> {
          cluster.moveAll();
          return !command.isAlive();
        },
        () -> "");
    command.join();
    return said.get();
  }

  private static Said run(Path kubeconfig, List<String> words) {
    return run(kubeconfig, words, new StringWriter());
  }

  private static Said run(Path kubeconfig, List<String> words, StringWriter out) {
    List<String> all = new ArrayList<>(words);
    all.add("--kubeconfig=" + kubeconfig);
    StringWriter err = new StringWriter();
    int code =
        Exactl.run(
            new PrintWriter(out, true), new PrintWriter(err, true), all.toArray(String[]::new));
    return new Said(code, out.toString(), err.toString());
  }

  @Test
  void whyFollowsAConditionToTheLine() throws Exception {
    cluster.reset();
    Said said = run(cluster.kubeconfig(-1), List.of("why", "Ready"));
    assertThat(said.code()).as("%s", said).isZero();
    assertThat(said.out())
        .contains("ControlPlane/demo: StoresReady is False", "StoreShard/demo-default: Ready")
        .contains("Pod/demo-default-0: container store: CrashLoopBackOff")
        .contains("demo-default-0 store: E1128 store cannot go on")
        .contains("Next: Check the store.");
  }

  @Test
  void fieldsAreThoseThatTheServerPublishes() throws Exception {
    cluster.reset();
    Said said = run(cluster.kubeconfig(-1), List.of("explain", "cpltask.spec.reshard"));
    assertThat(said.code()).as("%s", said).isZero();
    assertThat(said.out())
        .contains("ControlPlaneTask.spec.reshard: object", "Rule: reshard.resources: a resource is")
        .containsPattern("resources +list of object, 1 to 8 items, required")
        .containsPattern("toStore +string, 1 to 20 characters, matches ");
    Said value = run(cluster.kubeconfig(-1), List.of("explain", "cpl.spec.maxNodes", "demo"));
    assertThat(value.out()).contains("integer, 1 to ", "In ControlPlane demo: 100");
  }

  @Test
  void destroyDeletesTheControlPlaneAndWhatBelongsToIt() throws Exception {
    cluster.reset();
    Said said = run(cluster.kubeconfig(-1), List.of("destroy", "demo", "--confirm=demo"));
    assertThat(said.code()).as("%s", said).isZero();
    assertThat(cluster.exists("controlplanes", "demo")).isFalse();
    assertThat(cluster.exists("nodepools", "workers")).isFalse();
    assertThat(cluster.exists("storeshards", "demo-default")).as("has no owner here").isTrue();
    cluster.reset();
  }

  @Test
  void kubectlFindsThePluginAndItsWords() throws Exception {
    cluster.reset();
    Said said = kubectl("exaplane", "status", "demo");
    assertThat(said.code()).as("%s", said).isZero();
    assertThat(said.out()).contains("ControlPlane demo in namespace default", "Whose move?");
    Said wrong = kubectl("exaplane", "status", "--nonsense");
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err()).contains("'kubectl exaplane status --help' lists the options");
    Said words = kubectl("__complete", "exaplane", "roll");
    assertThat(words.out()).as("%s", words).startsWith("rollout\n:4\n");
    assertThat(Path.of(Machine.environment("EXA_PLUGIN"), "man/man1/kubectl-exaplane-why.1"))
        .content()
        .contains(".SH SYNOPSIS");
  }

  private Said kubectl(String... words) throws Exception {
    List<String> command =
        new ArrayList<>(List.of(Path.of(Machine.environment("EXA_KUBE"), "kubectl").toString()));
    command.addAll(List.of(words));
    Path out = own.resolve("out");
    Path err = own.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().put("KUBECONFIG", cluster.kubeconfig(-1).toString());
    builder.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
    builder
        .environment()
        .merge("PATH", Machine.environment("EXA_PLUGIN"), (path, plugin) -> plugin + ":" + path);
    Process process = builder.start();
    assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("kubectl ends").isTrue();
    return new Said(
        process.exitValue(),
        java.nio.file.Files.readString(out, StandardCharsets.UTF_8),
        java.nio.file.Files.readString(err, StandardCharsets.UTF_8));
  }
}
