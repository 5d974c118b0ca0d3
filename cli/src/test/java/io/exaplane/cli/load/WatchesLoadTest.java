// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes at a server that does not keep up. */
class WatchesLoadTest {
  @TempDir private Path folder;

  private static TestApi.Reply answer(TestApi.Request request) {
    return switch (request.method()) {
      case "POST" -> TestApi.Reply.json(201, "{\"status\":{\"allowed\":true}}");
      case "GET" -> {
        boolean isWatch = request.path().contains("watch=");
        byte[] body = isWatch ? new byte[0] : FakeApi.list().body();
        yield new TestApi.Reply(200, Map.of(), body, isWatch);
      }
      default -> TestApi.Reply.SILENCE;
    };
  }

  /** Otherwise the requests that wait would fill the memory, and hold the deletion up. */
  @Test
  void writesWaitWhileAThousandHaveNoAnswer() throws Exception {
    WatchesLoad load =
        new WatchesLoad(
            new WatchesLoad.Settings(
                1, 20_000, Duration.ofSeconds(1), 10, "configmaps", 1, 10, false));
    try (TestApi server = new TestApi(100, WatchesLoadTest::answer);
        LoadBench bench =
            new LoadBench(
                server.kubeconfig(folder),
                null,
                load,
                Duration.ofSeconds(10),
                line -> endWhenHeldBack(load))) {
      bench.connect(1);
      assertThatThrownBy(bench::run).hasMessage("writes were held back");
      assertThat((long) load.figures().get("writesHeldBack")).isBetween(10_000L, 40_000L);
    }
  }

  private static void endWhenHeldBack(WatchesLoad load) {
    if ((long) load.figures().get("writesHeldBack") > 0) {
      throw new IllegalStateException("writes were held back");
    }
  }
}
