// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.cli.measure.MeasurementException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nothing is created behind the deletion, whatever the load had under way. */
class LoadBenchTest {
  private static final Call CREATE =
      Call.create("nodes", "/api/v1/nodes", Call.JSON, NodeBody.json(Map.of()));

  @TempDir private Path folder;
  private TestApi server;
  private LoadBench bench;
  private Run run;

  /** Keeps its run for the test. */
  private final class Nothing extends Load {
    @Override
    public String name() {
      return "nodes";
    }

    @Override
    Map<String, Object> settings() {
      return Map.of();
    }

    @Override
    public String plan() {
      return "nothing";
    }

    @Override
    long watches() {
      return 0;
    }

    @Override
    List<Resource> resources() {
      return List.of(Resource.NODES);
    }

    @Override
    void run(Run own) {
      run = own;
    }

    @Override
    void stop(Run own) {
      // Nothing goes on.
    }

    @Override
    String progress() {
      return "";
    }

    @Override
    Map<String, Latency> latencies() {
      return Map.of();
    }

    @Override
    Map<String, Object> figures() {
      return Map.of();
    }
  }

  private volatile TestApi.Reply lists = TestApi.Reply.json(200, "{\"metadata\":{},\"items\":[]}");

  private void begin(Duration patience, Function<TestApi.Request, TestApi.Reply> creations)
      throws Exception {
    server =
        new TestApi(
            100,
            request -> {
              if (request.path().endsWith("reviews")) {
                return TestApi.Reply.json(201, "{\"status\":{\"allowed\":true}}");
              }
              return request.method().equals("POST") ? creations.apply(request) : lists;
            });
    bench = new LoadBench(server.kubeconfig(folder), null, new Nothing(), patience, line -> {});
    bench.connect(1);
    bench.run();
  }

  @AfterEach
  void stop() {
    bench.close();
    server.close();
  }

  private long creations() {
    return server.requests().stream().filter(each -> each.path().equals(CREATE.path())).count();
  }

  @Test
  void aLoadThatWasStoppedCreatesNothing() throws Exception {
    begin(Duration.ofSeconds(30), request -> TestApi.Reply.json(201, "{}"));
    assertThat(run.must(CREATE).status()).isEqualTo(201);
    bench.remove(false);
    assertThatThrownBy(() -> run.must(CREATE))
        .isInstanceOf(MeasurementException.class)
        .hasMessageContaining("interrupted");
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    run.api().send(CREATE, answer::complete);
    assertThat(answer.get(30, TimeUnit.SECONDS).words()).isEqualTo("the load has ended");
    assertThat(creations()).isEqualTo(1);
  }

  /** The server may still carry it out, so 'everything is deleted' would be a lie. */
  @Test
  void aCreationWithoutAnAnswerIsTold() throws Exception {
    begin(Duration.ofSeconds(2), request -> TestApi.Reply.SILENCE);
    run.api().send(CREATE, answer -> {});
    assertThatThrownBy(() -> bench.remove(false))
        .isInstanceOf(MeasurementException.class)
        .hasMessageContaining("1 requests of the load have no answer")
        .hasMessageContaining("run 'exactl bench nodes --clean-up' later");
    assertThat(server.requests())
        .as("it looks again, with pauses")
        .filteredOn(each -> each.method().equals("GET"))
        .hasSizeBetween(2, 10);
  }

  /** What ends the deletion hides neither itself nor the creation. */
  @Test
  void aListThatFailsToTheEndIsToldBesideACreationWithoutAnAnswer() throws Exception {
    begin(Duration.ofSeconds(2), request -> TestApi.Reply.SILENCE);
    run.api().send(CREATE, answer -> {});
    lists = TestApi.Reply.json(500, "{\"message\":\"no leader\"}");
    assertThatThrownBy(() -> bench.remove(false))
        .isInstanceOf(MeasurementException.class)
        .hasMessageContaining("list nodes")
        .hasMessageContaining("; besides, 1 requests of the load have no answer")
        .hasMessageContaining("run 'exactl bench nodes --clean-up' later");
  }
}
