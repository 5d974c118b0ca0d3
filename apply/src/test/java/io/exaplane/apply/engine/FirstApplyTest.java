// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.apply.entry.Outcome;
import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.inventory.Inventory;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.port.FieldManager;
import io.exaplane.apply.port.Health;
import io.exaplane.apply.port.ListPage;
import io.exaplane.apply.port.Observed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The first apply, on a server that works on 16 requests at once. Each answer takes another time,
 * from 20 to 500 ms, as on a machine with other work: that is no sign that there are too many.
 */
class FirstApplyTest {
  private static final int WORKERS = 16;

  private final ApplySet set = new ApplySet("one", "default");
  private final ModelServer server = new ModelServer();
  private final Engine engine = new Engine(Options.DEFAULTS);
  private final SplittableRandom random = new SplittableRandom(7);
  private final long[] freeAtMs = new long[WORKERS];
  private final PriorityQueue<Later> later =
      new PriorityQueue<>(Comparator.comparingLong(Later::atMs).thenComparing(Later::number));
  private long now = 10_000;
  private long version = 10;
  private long busyMs;
  private long lastMs;

  private record Later(long atMs, long number, Event event) {}

  private void run(Event first) {
    ArrayDeque<Event> events = new ArrayDeque<>(List.of(first));
    while (!events.isEmpty()) {
      for (Action action : engine.on(events.remove(), now)) {
        switch (action) {
          case Action.Tell _ -> {}
          case Action.Discover _ -> events.add(new Event.Discovered(server.discovery()));
          case Action.Load one -> events.add(new Event.Loaded(one.source(), Inventory.EMPTY));
          case Action.Save one -> events.add(new Event.Saved(one.source(), null));
          case Action.Page one ->
              events.add(
                  new Event.Listed(
                      one.groupKind(), one.number(), new ListPage(List.of(), 1, "", 0)));
          case Action.Apply one -> apply(one);
          default -> throw new IllegalStateException("not expected: " + action);
        }
      }
    }
  }

  /** The worker that is free first takes the request. */
  private void apply(Action.Apply one) {
    Arrays.sort(freeAtMs);
    long takes = 20 + random.nextInt(481);
    long ends = Math.max(now, freeAtMs[0]) + takes;
    freeAtMs[0] = ends;
    busyMs += takes;
    version++;
    later.add(
        new Later(
            ends,
            version,
            new Event.Applied(one.key(), one.ticket(), observed(one.key()), ends - now)));
  }

  private Observed observed(ObjectKey key) {
    byte[] fields = "{\"f:data\":{}}".getBytes(StandardCharsets.UTF_8);
    FieldManager ours = new FieldManager("exaplane", "Apply", "", "v1", "1", fields);
    return new Observed(
        key, "u" + key.name(), version, 1, false, set.id(), 0, Health.UNKNOWN, List.of(ours));
  }

  @ParameterizedTest
  @CsvSource({"56, 3.5", "500, 1.5"})
  void takesLittleMoreThanTheServerNeeds(int count, double most) {
    List<Manifest> manifests = new ArrayList<>();
    for (int at = 0; at < count; at++) {
      manifests.add(Wishes.manifest(Wishes.CONFIG_MAP, "default", "m" + at, "v", ""));
    }
    run(new Event.Desired(set, manifests, true));
    for (int at = 0; at < 100_000 && !engine.idle(set); at++) {
      long next = later.isEmpty() ? Long.MAX_VALUE : later.peek().atMs();
      now = Math.max(now, Math.min(next, engine.nextWakeMs()));
      if (next <= now) {
        lastMs = now;
        run(later.remove().event());
      } else {
        run(new Event.Tick());
      }
    }
    assertThat(engine.summary(set).count(Outcome.APPLIED)).isEqualTo(count);
    double ideal = (double) busyMs / WORKERS;
    long took = lastMs - 10_000;
    System.out.printf(
        "first apply of %d objects: %d ms, %.1f times what %d workers need, window %d%n",
        count, took, took / ideal, WORKERS, engine.summary(set).window());
    assertThat(took / ideal).isLessThan(most);
  }
}
