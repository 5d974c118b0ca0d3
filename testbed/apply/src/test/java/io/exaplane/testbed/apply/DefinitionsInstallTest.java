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
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Definitions in bulk, on a kube-apiserver with a limit of memory. */
class DefinitionsInstallTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;

  /**
   * Definitions, and a limit of memory in which they just fit.
   *
   * @param tooMany how many surely do not
   */
  private record Some(int count, int properties, long limitMib, int tooMany) {
    /** One after the other: a schema of 5,000 fields takes megabytes as a tree. */
    Stream<JsonNode> definitions(int some) {
      int groups = Math.max(1, some / 10);
      return IntStream.range(0, some)
          .mapToObj(at -> Definitions.of(at, 1, properties, groups).getFirst())
          .map(one -> JSON.<JsonNode>valueToTree(one));
    }
  }

  private static final Some FEW = new Some(300, 60, 640, 2_000);

  /**
   * These limits are above what the model advises: that has little to spare, and what an
   * installation itself holds, when it is cut off, is more.
   */
  private static final Some MANY = new Some(2_000, 60, 2_816, 8_000);

  /** As a provider whose schemas fill what one object of a store can hold. */
  private static final Some LARGE = new Some(190, 5_000, 8_192, 300);

  /** What a command said. */
  private record Said(int code, JsonNode document, String errors) {}

  @Test
  void threeHundredDisturbNobodyAreResumedAndTakeWhatTheModelSays() throws Exception {
    install(FEW);
  }

  @Test
  @Tag("long")
  void twoThousandDisturbNobodyAreResumedAndTakeWhatTheModelSays() throws Exception {
    install(MANY);
  }

  @Test
  @Tag("long")
  void definitionsOfFiveThousandFieldsDisturbNobodyAndTakeWhatTheModelSays() throws Exception {
    install(LARGE);
  }

  /** What a client without a pace does to the same server: there must be a sign of failure. */
  @Test
  @Tag("long")
  void allAtOnceInFigures() throws Exception {
    assertThat(allAtOnce(MANY)).as("requests and probes that failed, and kills").isPositive();
  }

  /** The same with the small ones, of which no failure is asked: in figures alone. */
  @Test
  @Tag("long")
  void threeHundredAllAtOnceInFigures() throws Exception {
    allAtOnce(FEW);
  }

  /** The same with the large ones. */
  @Test
  @Tag("long")
  void largeOnesAllAtOnceInFigures() throws Exception {
    assertThat(allAtOnce(LARGE)).as("requests and probes that failed, and kills").isPositive();
  }

  /** Sends all; says how many signs of failure there were. */
  private int allAtOnce(Some some) throws Exception {
    try (LimitedServer server = LimitedServer.start(folder, some.limitMib());
        KindLister _ = new KindLister(server);
        Prober others = new Prober(server)) {
      long from = System.nanoTime();
      Map<String, Integer> answers = sendAll(server, some.definitions(some.count()));
      double seconds = (System.nanoTime() - from) / 1e9;
      others.goOnFor(Duration.ofSeconds(60));
      boolean alive = server.isAlive();
      System.out.printf(
          "%d definitions of %d fields at once, limit %d MiB: answers %s within %.1f s; the server"
              + " %s; %d kills by the kernel; peak of the group %s; %s%n",
          some.count(),
          some.properties(),
          some.limitMib(),
          answers,
          seconds,
          alive ? "lives" : "is gone",
          server.kills(),
          Bytes.text(server.peakBytes()),
          others.figures());
      assertThat(answers.values().stream().mapToInt(Integer::intValue).sum())
          .as("requests")
          .isEqualTo(some.count());
      int failed = some.count() - answers.getOrDefault("201", 0);
      return failed + others.failures().size() + server.kills();
    }
  }

  /** How often each answer came to requests that do not wait for one another. */
  private static Map<String, Integer> sendAll(LimitedServer server, Stream<JsonNode> definitions) {
    URI all = server.uri("/apis/apiextensions.k8s.io/v1/customresourcedefinitions");
    Map<String, Integer> answers = new ConcurrentSkipListMap<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (JsonNode one : (Iterable<JsonNode>) definitions::iterator) {
        String text = one.toString();
        threads.submit(() -> answers.merge(answer(all, text), 1, Integer::sum));
      }
    }
    return answers;
  }

  private static String answer(URI all, String definition) {
    try {
      return Integer.toString(Http.post(all, definition).statusCode());
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
        KindLister controllers = new KindLister(server);
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
      controllers.await(count);
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

  private Path write(String name, Stream<JsonNode> definitions) throws Exception {
    Path files = Files.createDirectories(folder.resolve(name));
    for (JsonNode one : (Iterable<JsonNode>) definitions::iterator) {
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
