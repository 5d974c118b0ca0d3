// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.apply.engine.Cost;
import io.exaplane.apply.engine.Counters;
import io.exaplane.apply.engine.Summary;
import io.exaplane.apply.entry.Outcome;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.port.Health;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ApplyProgressTest {
  private final StringWriter err = new StringWriter();

  private static Summary summary(Outcome... outcomes) {
    int[] counts = new int[Outcome.values().length];
    List<Summary.Item> items = new ArrayList<>();
    for (Outcome one : outcomes) {
      counts[one.ordinal()]++;
      items.add(
          new Summary.Item(
              new ObjectKey("", "ConfigMap", "default", "m" + items.size()),
              new Manifest.Source("a.yaml", 1),
              one,
              Health.UNKNOWN,
              1,
              ""));
    }
    return new Summary("shop", counts, items, List.of(), "", new Counters(), Cost.NONE, 4);
  }

  @Test
  void saysHowManyObjectsAreDoneAndHowManyFailed() {
    assertThat(ApplyProgress.line(summary())).isEqualTo("reading the server's objects");
    assertThat(ApplyProgress.line(summary(Outcome.APPLIED, Outcome.PENDING)))
        .isEqualTo("[###############---------------] 1 of 2 objects");
    assertThat(
            ApplyProgress.line(
                summary(Outcome.UNCHANGED, Outcome.FAILED, Outcome.TAKEN, Outcome.WAITING)))
        .isEqualTo("[######################--------] 3 of 4 objects, 2 failed");
  }

  @Test
  void theLineIsErasedAtTheEnd() throws Exception {
    CountDownLatch looked = new CountDownLatch(1);
    try (ApplyProgress _ =
        new ApplyProgress(
            true,
            new PrintWriter(err, true),
            () -> {
              looked.countDown();
              return summary(Outcome.APPLIED);
            })) {
      looked.await();
    }
    assertThat(err.toString()).startsWith("\r\u001b[K[").endsWith("1 of 1 objects\r\u001b[K");
  }

  @Test
  void withoutATerminalNothingIsSaid() {
    try (ApplyProgress _ =
        new ApplyProgress(
            false,
            new PrintWriter(err, true),
            () -> {
              throw new AssertionError("nobody looks");
            })) {
      assertThat(ApplyProgress.isTerminal()).as("a test has none").isFalse();
    }
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void anEngineThatEndedEndsTheLine() {
    try (ApplyProgress _ =
        new ApplyProgress(
            true,
            new PrintWriter(err, true),
            () -> {
              throw new IllegalStateException("the engine ended");
            })) {
      assertThat(err.toString()).isEmpty();
    }
    assertThat(err.toString()).isEqualTo("\r\u001b[K");
  }
}
