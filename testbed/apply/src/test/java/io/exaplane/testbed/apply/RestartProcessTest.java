// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.exaplane.apply.engine.Options;
import io.exaplane.apply.engine.Runner;
import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.inventory.InventoryFormat;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ManifestReader;
import io.exaplane.apply.port.ApiException;
import io.exaplane.apply.port.Content;
import io.exaplane.apply.port.ListPage;
import io.exaplane.apply.server.ServerPort;
import io.exaplane.cli.Exactl;
import io.exaplane.testbed.machine.Await;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A kube-apiserver that is killed and started again, and sources that are large or half bad. */
@Timeout(600)
class RestartProcessTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String MAP =
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, namespace: default}\ndata: {a: \"%s\"}\n---\n";

  @TempDir private static Path folder;
  private static Cluster cluster;
  @TempDir private Path files;

  @BeforeAll
  static void start() throws Exception {
    cluster = Cluster.in(folder);
  }

  @AfterAll
  static void end() {
    cluster.close();
  }

  private List<Manifest> manifests(String yaml) throws Exception {
    Path file = Files.writeString(files.resolve("m.yaml"), yaml);
    return ManifestReader.read(List.of(file), InputStream.nullInputStream()).manifests();
  }

  private static ListPage list(ServerPort port) throws Exception {
    return port.list(
        InventoryFormat.TYPE, Content.METADATA, "applyset.kubernetes.io/part-of", 500, "");
  }

  /** The server's cache begins anew, after versions that nobody who watches has seen. */
  private static void watch(ServerPort port, long version) throws Exception {
    port.watch(
        InventoryFormat.TYPE,
        Content.METADATA,
        "applyset.kubernetes.io/part-of",
        version,
        any -> {});
  }

  private static String failure(ThrowingCallable call) {
    ApiException failed = catchThrowableOfType(ApiException.class, call);
    return failed == null ? "none" : Integer.toString(failed.failure().code());
  }

  @Test
  void aRestartWithExpiredWatchesCostsOneListAndNoApply() throws Exception {
    ApplySet set = new ApplySet("restart", "default");
    try (ServerPort port = cluster.port(Cluster.ADMIN);
        Runner runner = new Runner(port, Options.DEFAULTS.following(true), any -> {})) {
      runner.want(set, manifests(MAP.formatted("r1", "1") + MAP.formatted("r2", "1")), true);
      assertThat(runner.awaitIdle(set, SOON).good()).isTrue();
      long version = list(port).resourceVersion();
      for (int at = 0; at < 5; at++) {
        cluster.create(MAPS, "{\"metadata\":{\"name\":\"others-%d\"}}".formatted(at));
      }
      long lists = runner.summary(set).counters().lists();
      cluster.restart();
      // The connection of before is gone, which the first request may learn.
      Await.until(
          SOON,
          "a watch from before has expired",
          () -> failure(() -> watch(port, version)).equals("410"),
          () -> failure(() -> watch(port, version)));
      Await.until(
          SOON,
          "the engine lists anew",
          () -> runner.summary(set).counters().lists() > lists,
          () -> runner.summary(set));
      assertThat(cluster.applies()).as("applies since the restart").isZero();
      long from = System.nanoTime();
      cluster.change(MAPS + "/r1", "{\"data\":{\"a\":\"2\"}}");
      Await.until(
          SOON,
          "the drift is put right",
          () -> cluster.value("default", "r1").equals("1"),
          () -> runner.summary(set));
      System.out.printf(
          "drift after the restart: put right in %d ms%n", (System.nanoTime() - from) / 1_000_000);
      Await.until(
          SOON, "the source is well", () -> runner.summary(set).good(), () -> runner.summary(set));
      assertThat(runner.summary(set).counters().needless()).isZero();
    }
  }

  /** What a person feels: the goal is two seconds. */
  @Test
  void driftIsPutRight() throws Exception {
    ApplySet set = new ApplySet("drift", "default");
    try (ServerPort port = cluster.port(Cluster.ADMIN);
        Runner runner = new Runner(port, Options.DEFAULTS.following(true), any -> {})) {
      runner.want(set, manifests(MAP.formatted("d", "1")), true);
      assertThat(runner.awaitIdle(set, SOON).good()).isTrue();
      long from = System.nanoTime();
      cluster.change(MAPS + "/d", "{\"data\":{\"a\":\"2\"}}");
      Await.until(
          SOON,
          "the drift is put right",
          () -> cluster.value("default", "d").equals("1"),
          () -> runner.summary(set));
      System.out.printf(
          "drift: put right in %d ms (wanted: 2,000)%n", (System.nanoTime() - from) / 1_000_000);
    }
  }

  private JsonNode apply(int code, String source, String... more) throws Exception {
    List<String> words =
        new ArrayList<>(List.of("apply", "-f", files.toString(), "--source", source, "-o", "json"));
    words.addAll(List.of("--kubeconfig", cluster.kubeconfig().toString()));
    words.addAll(List.of(more));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int ended =
        Exactl.run(
            new PrintWriter(out, true), new PrintWriter(err, true), words.toArray(String[]::new));
    assertThat(ended).as("%s%n%s", out, err).isEqualTo(code);
    return JSON.readTree(out.toString());
  }

  @Test
  void tenMegabytesAreAppliedOnce() throws Exception {
    SplittableRandom random = new SplittableRandom(7);
    StringBuilder all = new StringBuilder();
    for (int at = 0; at < 20; at++) {
      StringBuilder value = new StringBuilder();
      while (value.length() < 512 << 10) {
        value.append(Long.toHexString(random.nextLong()));
      }
      all.append(MAP.formatted("large-" + at, value));
    }
    Files.writeString(files.resolve("one-file.yaml"), all);
    assertThat(apply(0, "megabytes").path("applied").asInt()).isEqualTo(20);
    double before = cluster.applies();
    assertThat(apply(0, "megabytes").path("unchanged").asInt()).isEqualTo(20);
    assertThat(cluster.applies()).isEqualTo(before);
  }

  @Test
  void oneBadFileOfManyStopsNoOther() throws Exception {
    for (int at = 0; at < 30; at++) {
      Files.writeString(
          files.resolve("m%02d.yaml".formatted(at)), MAP.formatted("many-" + at, "1"));
    }
    Files.writeString(files.resolve("m15.yaml"), "apiVersion: v1\nkind: ConfigMap\nmetadata: {\n");
    JsonNode said = apply(1, "half-bad", "--prune");
    assertThat(said.path("applied").asInt()).isEqualTo(29);
    assertThat(said.path("unreadable").asInt()).isEqualTo(1);
    assertThat(cluster.value("default", "many-29")).isEqualTo("1");
  }

  @Test
  void aConfigMapOfSomebodyElseIsNoInventory() throws Exception {
    cluster.create(MAPS, "{\"metadata\":{\"name\":\"shop\"},\"data\":{\"a\":\"mine\"}}");
    Files.writeString(files.resolve("m.yaml"), MAP.formatted("of-shop", "1"));
    JsonNode said = apply(1, "shop");
    assertThat(said.path("problems").toString())
        .contains("ConfigMap default/shop is no inventory", "choose another name");
    assertThat(cluster.value("default", "of-shop")).isEmpty();
    JsonNode map = cluster.get(MAPS + "/shop");
    assertThat(map.path("data").path("a").asText()).isEqualTo("mine");
    assertThat(map.path("metadata").has("annotations")).isFalse();
  }
}
