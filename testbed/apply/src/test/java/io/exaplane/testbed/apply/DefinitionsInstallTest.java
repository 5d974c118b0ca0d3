// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.exaplane.cli.Exactl;
import io.exaplane.testbed.machine.Http;
import io.exaplane.tuning.discovery.Definitions;
import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.DefinitionCost;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Definitions in bulk, on a kube-apiserver with a limit of memory. */
class DefinitionsInstallTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Requests at once of a client that has no pace. */
  private static final int AT_ONCE = 200;

  @TempDir private Path folder;

  /**
   * Definitions, and a limit of memory in which they just fit.
   *
   * @param tooMany how many surely do not
   */
  private record Some(int count, int properties, long limitMib, int tooMany) {
    List<JsonNode> definitions(int some) {
      return Definitions.of(0, some, properties, Math.max(1, some / 10)).stream()
          .map(one -> JSON.<JsonNode>valueToTree(one))
          .toList();
    }
  }

  private static final Some MANY = new Some(2_000, 60, 2_560, 8_000);

  /** What a command said. */
  private record Said(int code, JsonNode document, String errors) {}

  @Test
  void threeHundredDisturbNobodyAreResumedAndTakeWhatTheModelSays() throws Exception {
    install(new Some(300, 60, 640, 2_000));
  }

  @Test
  @Tag("long")
  void twoThousandDisturbNobodyAreResumedAndTakeWhatTheModelSays() throws Exception {
    install(MANY);
  }

  /** What a client without a pace does to the same server, in figures: no rule of ours. */
  @Test
  @Tag("long")
  void allAtOnceInFigures() throws Exception {
    try (LimitedServer server = LimitedServer.start(folder, MANY.limitMib());
        Prober others = new Prober(server)) {
      long from = System.nanoTime();
      Map<String, Integer> answers = sendAll(server, MANY.definitions(MANY.count()));
      double seconds = (System.nanoTime() - from) / 1e9;
      others.goOnFor(Duration.ofSeconds(60));
      boolean alive = server.isAlive();
      System.out.printf(
          "%d definitions of %d fields at once, limit %d MiB: answers %s within %.1f s; the server"
              + " %s; %d kills by the kernel; peak of the group %s; %s%n",
          MANY.count(),
          MANY.properties(),
          MANY.limitMib(),
          answers,
          seconds,
          alive ? "lives" : "is gone",
          server.kills(),
          Bytes.text(server.peakBytes()),
          others.figures());
      assertThat(answers.values().stream().mapToInt(Integer::intValue).sum())
          .as("requests")
          .isEqualTo(MANY.count());
    }
  }

  /** How often each answer came. */
  private static Map<String, Integer> sendAll(LimitedServer server, List<JsonNode> definitions)
      throws InterruptedException {
    URI all = server.uri("/apis/apiextensions.k8s.io/v1/customresourcedefinitions");
    Map<String, Integer> answers = new ConcurrentSkipListMap<>();
    Semaphore atOnce = new Semaphore(AT_ONCE);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (JsonNode one : definitions) {
        atOnce.acquire();
        threads.submit(
            () -> {
              answers.merge(answer(all, one), 1, Integer::sum);
              atOnce.release();
            });
      }
    }
    return answers;
  }

  private static String answer(URI all, JsonNode definition) {
    try {
      return Integer.toString(Http.post(all, definition.toString()).statusCode());
    } catch (IOException e) {
      return "none (" + e.getClass().getSimpleName() + ")";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "none (interrupted)";
    }
  }

  /** Installs some, killed halfway, while somebody else looks on. */
  private void install(Some some) throws Exception {
    int count = some.count();
    Path files = write("some", some.definitions(count));
    try (LimitedServer server = LimitedServer.start(folder, some.limitMib());
        Prober others = new Prober(server)) {
      double before = server.settledHeap();
      refused(server, write("too-many", some.definitions(some.tooMany())));
      long from = System.nanoTime();
      int killedAt = killedHalfway(server, files, count);
      Said resumed = apply(server, files);
      double seconds = (System.nanoTime() - from) / 1e9;
      assertThat(resumed.code()).as("%s", resumed).isZero();
      assertThat(good(resumed)).isEqualTo(count);
      assertThat(resumed.errors()).contains("new definitions take about", "they fit");
      double applies = applies(server);
      double grown = server.settledHeap() - before;
      assertThat(server.definitions()).containsExactly(count, count);
      Said again = apply(server, files);
      assertThat(again.document().path("unchanged").asInt()).as("%s", again).isEqualTo(count);
      assertThat(applies(server)).as("nothing is applied again").isEqualTo(applies);
      DefinitionCost cost = DefinitionCost.of(some.definitions(count));
      System.out.printf(
          "%d definitions of %d fields, limit %d MiB: %.1f s with a kill at %d; %.0f applies;"
              + " heap %s before and %s more, %s by the model; peak of the group %s; %s%n",
          count,
          some.properties(),
          some.limitMib(),
          seconds,
          killedAt,
          applies,
          Bytes.text(before),
          Bytes.text(grown),
          Bytes.text(cost.liveBytes()),
          Bytes.text(server.peakBytes()),
          others.figures());
      assertThat(grown).isCloseTo(cost.liveBytes(), within(0.2 * cost.liveBytes()));
      assertThat(others.count()).as("probes").isGreaterThan(20);
      assertThat(others.failures()).isEmpty();
      assertThat(server.metric("apiserver_flowcontrol_rejected_requests_total")).isZero();
      assertThat(server.kills()).isZero();
    }
  }

  private Path write(String name, List<JsonNode> definitions) throws Exception {
    Path files = Files.createDirectories(folder.resolve(name));
    for (JsonNode one : definitions) {
      Files.write(
          files.resolve(one.at("/metadata/name").asText() + ".json"), JSON.writeValueAsBytes(one));
    }
    return files;
  }

  /** What does not fit is refused before anything is written. */
  private static void refused(LimitedServer server, Path files) throws Exception {
    Said said = apply(server, files);
    assertThat(said.code()).isEqualTo(1);
    assertThat(said.errors()).contains("they do not fit", "--exclude", "--accept-memory");
    assertThat(server.definitions()).as("definitions that exist").containsExactly(0, 0);
  }

  /** Another process begins, and is killed when half of them exist; says how many did. */
  private int killedHalfway(LimitedServer server, Path files, int count) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Exactl.class.getName()));
    command.addAll(words(server, files));
    Path log = folder.resolve("killed.log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      int seen = 0;
      long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(10);
      while (seen < count / 2) {
        if (!process.isAlive()) {
          // It was quicker than the looks at it; then it is not killed, and nothing is left to do.
          assertThat(process.exitValue()).as("%s", Files.readString(log)).isZero();
          return server.count();
        }
        assertThat(System.nanoTime()).as("half of them exist").isLessThan(deadline);
        TimeUnit.MILLISECONDS.sleep(100);
        seen = server.count();
      }
      return seen;
    } finally {
      process.destroyForcibly().onExit().join();
    }
  }

  private static List<String> words(LimitedServer server, Path files) {
    return List.of(
        "apply",
        "-f",
        files.toString(),
        "--source",
        "provider",
        "--timeout",
        "900",
        "--kubeconfig",
        server.kubeconfig().toString(),
        "-o",
        "json");
  }

  private static Said apply(LimitedServer server, Path files) throws Exception {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Exactl.run(
            new PrintWriter(out, true),
            new PrintWriter(err, true),
            words(server, files).toArray(String[]::new));
    return new Said(code, JSON.readTree(out.toString()), err.toString());
  }

  private static int good(Said said) {
    return said.document().path("applied").asInt() + said.document().path("unchanged").asInt();
  }

  private static double applies(LimitedServer server) throws Exception {
    return server.metric(
        "apiserver_request_total", "resource=\"customresourcedefinitions\"", "verb=\"APPLY\"");
  }
}
