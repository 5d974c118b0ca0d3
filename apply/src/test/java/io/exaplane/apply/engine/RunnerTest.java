// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.port.ApiException;
import io.exaplane.apply.port.ApiPort;
import io.exaplane.apply.port.ApplyRequest;
import io.exaplane.apply.port.Content;
import io.exaplane.apply.port.DeleteRequest;
import io.exaplane.apply.port.Discovery;
import io.exaplane.apply.port.Failure;
import io.exaplane.apply.port.ListPage;
import io.exaplane.apply.port.Observed;
import io.exaplane.apply.port.ResourceType;
import io.exaplane.apply.port.WatchEvent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads around the engine. */
class RunnerTest {
  private final ApplySet set = new ApplySet("one", "default");

  /** Serves nothing, and has one ConfigMap of somebody else. */
  private static final class Port implements ApiPort {
    private final ObjectNode map;

    Port(ObjectNode map) {
      this.map = map;
    }

    @Override
    public Discovery discover() {
      return new Discovery(Map.of(), Set.of());
    }

    @Override
    public Optional<ObjectNode> get(ResourceType type, ObjectKey key) {
      return Optional.of(map);
    }

    @Override
    public Observed apply(ApplyRequest request) throws ApiException {
      throw unexpected();
    }

    @Override
    public ObjectNode dryRun(ApplyRequest request) throws ApiException {
      throw unexpected();
    }

    @Override
    public void delete(DeleteRequest request) throws ApiException {
      throw unexpected();
    }

    @Override
    public ListPage list(ResourceType type, Content content, String selector, int limit, String on)
        throws ApiException {
      throw unexpected();
    }

    @Override
    public void watch(
        ResourceType type,
        Content content,
        String selector,
        long resourceVersion,
        Consumer<WatchEvent> sink)
        throws ApiException {
      throw unexpected();
    }

    @Override
    public void close() {}

    private static ApiException unexpected() {
      return new ApiException(new Failure(500, "", "not expected", 0, false, List.of()));
    }
  }

  private static ObjectNode plainMap() {
    ObjectNode map = new ObjectMapper().createObjectNode();
    map.putObject("metadata").put("name", "one").put("namespace", "default");
    return map;
  }

  @Test
  @Timeout(30)
  void whoAsksAnEngineThatBrokeIsToldAtOnce() throws Exception {
    LinkedBlockingQueue<Notice> seen = new LinkedBlockingQueue<>();
    Consumer<Notice> breaks =
        notice -> {
          seen.add(notice);
          throw new IllegalArgumentException("made to break");
        };
    try (Runner runner = new Runner(new Port(plainMap()), Options.DEFAULTS, breaks)) {
      runner.want(set, List.of(), true);
      assertThat(seen.poll(20, TimeUnit.SECONDS)).isNotNull();
      assertThatThrownBy(() -> runner.awaitIdle(set, Duration.ofMinutes(5)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("the engine ended");
      assertThatThrownBy(() -> runner.summary(set))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("the engine ended");
    }
  }

  @Test
  @Timeout(30)
  void aConfigMapThatIsNoInventoryIsLeftAlone() throws Exception {
    try (Runner runner = new Runner(new Port(plainMap()), Options.DEFAULTS, any -> {})) {
      runner.want(set, List.of(), true);
      Summary summary = runner.awaitIdle(set, Duration.ofSeconds(20));
      assertThat(summary.halted())
          .contains("ConfigMap default/one is no inventory", "choose another name");
      assertThat(summary.good()).isFalse();
    }
  }

  @Test
  @Timeout(60)
  void whoAsksAnEngineThatEndedDoesNotWaitForItsQueue() {
    Runner runner = new Runner(new Port(plainMap()), Options.DEFAULTS, any -> {});
    runner.close();
    // More than the queue takes.
    for (int i = 0; i < 5_000; i++) {
      assertThatThrownBy(() -> runner.idle(set)).isInstanceOf(IllegalStateException.class);
    }
  }
}
