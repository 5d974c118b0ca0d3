// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.apply;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.exaplane.cli.Exactl;
import io.exaplane.testbed.machine.Await;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What a source does to a real cluster, and what it does not. */
class ApplyProcessTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final String MAPS = "/api/v1/namespaces/default/configmaps/";
  private static final String MAP =
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s}\ndata: {a: \"%s\"}\n";

  @RegisterExtension static final SharedCluster SHARED = new SharedCluster();

  @TempDir private Path manifests;

  /** What a command said. */
  private record Said(int code, JsonNode document, String errors) {}

  @Test
  void anotherProcessAppliesNothingWhenNothingChanged() throws Exception {
    for (int i = 0; i < 20; i++) {
      write("m" + i, MAP.formatted("same-" + i, "1"));
    }
    Said first = apply("again");
    assertThat(first.code()).as("%s", first).isZero();
    assertThat(first.document().path("applied").asInt()).isEqualTo(20);
    double before = patches();
    assertThat(before).as("the server counts applies").isGreaterThanOrEqualTo(20);
    Said second = apply("again");
    assertThat(second.code()).as("%s", second).isZero();
    assertThat(second.document().path("unchanged").asInt()).isEqualTo(20);
    assertThat(patches()).as("PATCH requests to the server").isEqualTo(before);
  }

  @Test
  void driftIsPutRight() throws Exception {
    write("m", MAP.formatted("drift", "1"));
    assertThat(apply("drifting").code()).isZero();
    SHARED.cluster().change(MAPS + "drift", "{\"data\":{\"a\":\"2\"}}");
    Said diff = run("apply", "-f", manifests.toString(), "--source", "drifting", "--diff");
    JsonNode object = diff.document().path("objects").path(0);
    assertThat(object.path("outcome").asText()).as("%s", diff).isEqualTo("changed");
    assertThat(object.path("fields").toString()).contains(".data.a", "2", "1");
    Said again = apply("drifting");
    assertThat(again.document().path("applied").asInt()).as("%s", again).isEqualTo(1);
    assertThat(value("drift")).isEqualTo("1");
  }

  @Test
  void pruningDeletesExactlyWhatTheSourceLost() throws Exception {
    write("kept", MAP.formatted("kept", "1"));
    write("lost", MAP.formatted("lost", "1"));
    SHARED
        .cluster()
        .create(
            MAPS.replaceAll("/$", ""),
            "{\"metadata\":{\"name\":\"others\"},\"data\":{\"a\":\"1\"}}");
    assertThat(apply("prune").code()).isZero();
    Files.delete(manifests.resolve("lost.yaml"));
    write("bad", "kind: [");
    Said bad = apply("prune", "--prune");
    assertThat(bad.code()).isEqualTo(1);
    assertThat(bad.errors()).contains("bad.yaml:1");
    assertThat(value("lost")).as("with a bad file, nothing is deleted").isEqualTo("1");
    Files.delete(manifests.resolve("bad.yaml"));
    Said pruned = apply("prune", "--prune");
    assertThat(pruned.code()).as("%s", pruned).isZero();
    assertThat(pruned.document().path("pruned").asInt()).isEqualTo(1);
    assertThat(value("lost")).isEmpty();
    assertThat(value("kept")).isEqualTo("1");
    assertThat(value("others")).isEqualTo("1");
    assertThat(run("apply", "status", "--source", "prune").document().path("objects").size())
        .isEqualTo(1);
  }

  @Test
  void aRefusedObjectIsNamedAndStopsNoOther() throws Exception {
    write("good", MAP.formatted("good", "1"));
    write("wrong", "apiVersion: v1\nkind: Service\nmetadata: {name: Wrong}\nspec: {ports: []}\n");
    Said said = apply("refused", "--timeout", "120");
    assertThat(said.code()).isEqualTo(1);
    assertThat(said.document().path("problems").toString()).contains("Wrong", "wrong.yaml:1");
    assertThat(value("good")).isEqualTo("1");
  }

  @Test
  void anObjectThatIsTheInventoryIsRefused() throws Exception {
    write("m", MAP.formatted("inventory-1", "1"));
    Said said = apply("inventory");
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.errors()).contains("m.yaml:1", "choose another name");
    assertThat(value("inventory-1")).isEmpty();
  }

  private void write(String name, String text) throws Exception {
    Files.writeString(manifests.resolve(name + ".yaml"), text);
  }

  private Said apply(String source, String... more) throws Exception {
    List<String> words =
        new ArrayList<>(List.of("apply", "-f", manifests.toString(), "--source", source));
    words.addAll(List.of(more));
    return run(words.toArray(String[]::new));
  }

  private static Said run(String... words) throws Exception {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--kubeconfig", SHARED.cluster().kubeconfig().toString(), "-o", "json"));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Exactl.run(
            new PrintWriter(out, true), new PrintWriter(err, true), all.toArray(String[]::new));
    return new Said(code, JSON.readTree(out.toString()), err.toString());
  }

  private static String value(String name) throws Exception {
    return SHARED.cluster().value("default", name);
  }

  private static double patches() throws Exception {
    return SHARED.cluster().applies();
  }

  /** A process that stays, as a thread; what it says, line by line. */
  @Test
  void watchingPutsDriftRightAndFollowsTheFiles() throws Exception {
    Cluster cluster = SHARED.cluster();
    write("m", MAP.formatted("watched", "1"));
    write("n", MAP.formatted("watched-2", "1"));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CompletableFuture<Integer> code = new CompletableFuture<>();
    String kubeconfig = cluster.kubeconfig().toString();
    Thread process =
        Thread.ofPlatform()
            .start(
                () ->
                    code.complete(
                        Exactl.run(
                            new PrintWriter(out, true),
                            new PrintWriter(err, true),
                            "apply",
                            "-f",
                            manifests.toString(),
                            "--source",
                            "watching",
                            "--watch",
                            "--interval",
                            "1",
                            "--prune",
                            "--kubeconfig",
                            kubeconfig)));
    Callable<String> said = () -> out + "\n" + err;
    Await.until(
        SOON, "all are there", () -> out.toString().contains("2 of 2 objects are as"), said);
    cluster.change(MAPS + "watched", "{\"data\":{\"a\":\"2\"}}");
    Await.until(SOON, "drift is put right", () -> value("watched").equals("1"), said);
    Await.until(
        SOON, "that is said", () -> out.toString().contains("put right, since somebody"), said);
    write("m", MAP.formatted("watched", "3"));
    Await.until(SOON, "a changed file is applied", () -> value("watched").equals("3"), said);
    write("m", "kind: [");
    Files.delete(manifests.resolve("n.yaml"));
    write("o", MAP.formatted("watched-3", "1"));
    Await.until(SOON, "the other files are applied", () -> value("watched-3").equals("1"), said);
    Await.until(SOON, "the bad file is named", () -> err.toString().contains("m.yaml:1"), said);
    assertThat(value("watched-2")).as("with a bad file, nothing is deleted").isEqualTo("1");
    Files.delete(manifests.resolve("o.yaml"));
    Files.delete(manifests.resolve("m.yaml"));
    Await.until(
        SOON,
        "an empty folder is refused",
        () -> err.toString().contains("what was read before stays applied"),
        said);
    write("m", MAP.formatted("watched", "4"));
    Await.until(
        SOON,
        "what is gone from the files is deleted",
        () -> value("watched-2").isEmpty() && value("watched-3").isEmpty(),
        said);
    process.interrupt();
    assertThat(code.get(5, TimeUnit.MINUTES)).as("%s", said.call()).isZero();
    assertThat(value("watched")).isEqualTo("4");
    assertThat(run("apply", "status", "--source", "watching").document().path("objects").size())
        .isEqualTo(1);
  }
}
