// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.apply.entry.Outcome;
import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.inventory.Inventory;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.port.ListPage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What costs nothing, and what little it costs. */
class FiguresTest {
  private final ApplySet set = new ApplySet("one", "default");
  private final ModelServer server = new ModelServer();
  private int requests;

  private static List<Manifest> manifests(int count) {
    List<Manifest> all = new ArrayList<>();
    for (int at = 0; at < count; at++) {
      all.add(Wishes.manifest(Wishes.CONFIG_MAP, "default", "settings-" + at, "v", ""));
    }
    return all;
  }

  /** Answers everything at once, without faults. */
  private void run(Engine engine, Event first) throws ModelServer.Refused {
    ArrayDeque<Event> events = new ArrayDeque<>(List.of(first));
    while (!events.isEmpty()) {
      for (Action action : engine.on(events.remove(), server.nowMs)) {
        if (action instanceof Action.Tell) {
          continue;
        }
        requests++;
        switch (action) {
          case Action.Discover one -> events.add(new Event.Discovered(server.discovery()));
          case Action.Load one -> events.add(new Event.Loaded(one.source(), Inventory.EMPTY));
          case Action.Save one -> events.add(new Event.Saved(one.source(), null));
          case Action.Page one ->
              events.add(
                  new Event.Listed(
                      one.groupKind(),
                      one.number(),
                      new ListPage(List.of(), server.version, "", 0)));
          case Action.Apply one -> {
            ModelObject object =
                server.apply(
                    one.key(),
                    ModelServer.leaves(one.set().member(one.manifest())),
                    ModelServer.US,
                    one.force(),
                    one.manifest().hash());
            events.add(
                new Event.Applied(
                    one.key(), one.ticket(), object.observed(ModelServer.US, false), 5));
          }
          default -> throw new IllegalStateException("not expected: " + action);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {56, 5_000})
  void anUnchangedPassAsksForNothing(int count) throws ModelServer.Refused {
    server.nowMs = 1_000;
    Engine engine = new Engine(Options.DEFAULTS);
    run(engine, new Event.Desired(set, manifests(count), true));
    assertThat(engine.idle(set)).isTrue();
    assertThat(server.applies).isEqualTo(count);
    requests = 0;
    long bestNs = Long.MAX_VALUE;
    for (int pass = 0; pass < 10; pass++) {
      List<Manifest> again = manifests(count);
      server.nowMs += 1_000;
      long from = System.nanoTime();
      run(engine, new Event.Desired(set, again, true));
      bestNs = Math.min(bestNs, System.nanoTime() - from);
    }
    Summary summary = engine.summary(set);
    System.out.printf("unchanged pass of %d objects: %.2f ms%n", count, bestNs / 1e6);
    assertThat(requests).isZero();
    assertThat(server.applies).isEqualTo(count);
    assertThat(summary.count(Outcome.UNCHANGED)).isEqualTo(count);
    assertThat(summary.counters().avoided()).isEqualTo(10L * count);
  }

  @ParameterizedTest
  @ValueSource(ints = 50_000)
  void anEntryTakesLessThanAKibibyte(int count) throws ModelServer.Refused {
    server.nowMs = 1_000;
    List<Manifest> manifests = manifests(count);
    Engine engine = new Engine(Options.DEFAULTS);
    run(engine, new Event.Desired(set, manifests, true));
    server.objects.clear();
    server.history.clear();
    server.appliedManifest.clear();
    server.appliedVersion.clear();
    long with = used();
    assertThat(engine.summary(set).count(Outcome.APPLIED)).isEqualTo(count);
    engine = null;
    long bytes = (with - used()) / count;
    assertThat(manifests).hasSize(count);
    System.out.printf("an entry: %d bytes, without its manifest%n", bytes);
    assertThat(bytes).isBetween(1L, 1_024L);
  }

  private static long used() {
    long least = Long.MAX_VALUE;
    for (int at = 0; at < 4; at++) {
      System.gc();
      Runtime now = Runtime.getRuntime();
      least = Math.min(least, now.totalMemory() - now.freeMemory());
    }
    return least;
  }
}
