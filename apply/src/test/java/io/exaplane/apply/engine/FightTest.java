// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.inventory.Inventory;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.port.Failure;
import io.exaplane.apply.port.ListPage;
import io.exaplane.apply.port.WatchEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Somebody puts back each of our repairs at once. */
class FightTest {
  private static final String FIELD = "data" + ModelObject.STEP + "a";
  private final ApplySet set = new ApplySet("one", "default");
  private final ModelServer server = new ModelServer();
  private final Manifest manifest = Wishes.manifest(Wishes.CONFIG_MAP, "default", "x", "ours", "");
  private final ObjectKey key = manifest.key();
  private final List<Notice> notices = new ArrayList<>();
  private final List<Long> applied = new ArrayList<>();
  private Action.Watch watch;

  private void run(Engine engine, Event first) {
    ArrayDeque<Event> events = new ArrayDeque<>(List.of(first));
    while (!events.isEmpty()) {
      for (Action action : engine.on(events.remove(), server.nowMs)) {
        switch (action) {
          case Action.Tell one -> notices.add(one.notice());
          case Action.Discover one -> events.add(new Event.Discovered(server.discovery()));
          case Action.Load one -> events.add(new Event.Loaded(one.source(), Inventory.EMPTY));
          case Action.Save one -> events.add(new Event.Saved(one.source(), null));
          case Action.Page one ->
              events.add(
                  new Event.Listed(
                      one.groupKind(), one.number(), new ListPage(List.of(), 1, "", 0)));
          case Action.Watch one -> watch = one;
          case Action.Apply one -> events.add(apply(one));
          default -> throw new IllegalStateException("not expected: " + action);
        }
      }
    }
  }

  private Event apply(Action.Apply one) {
    applied.add(server.nowMs);
    try {
      ModelObject object =
          server.apply(
              one.key(),
              ModelServer.leaves(one.set().member(one.manifest())),
              ModelServer.US,
              one.force(),
              one.manifest().hash());
      return new Event.Applied(one.key(), one.ticket(), object.observed("exaplane", false), 5);
    } catch (ModelServer.Refused e) {
      Failure failure = e.failure;
      return new Event.NotApplied(one.key(), one.ticket(), failure);
    }
  }

  private void opponent(Engine engine) {
    server.update(key, "kubectl-edit", Map.of(FIELD, "theirs"));
    run(
        engine,
        new Event.Watched(
            watch.groupKind(),
            watch.number(),
            new WatchEvent.Changed(server.objects.get(key).observed("exaplane", false), 9)));
  }

  @Test
  void isNamedWithinAMinuteAndBackedOff() {
    server.nowMs = 10_000;
    Engine engine = new Engine(Options.DEFAULTS.following(true));
    run(engine, new Event.Desired(set, List.of(manifest), true));
    server.nowMs += 60_000;
    long from = server.nowMs;
    long named = 0;
    while (server.nowMs < from + 600_000) {
      if (server.objects.get(key).leaves.get(FIELD).equals("ours")) {
        opponent(engine);
      }
      if (named == 0 && notices.stream().anyMatch(one -> one.kind() == Notice.Kind.CONTESTED)) {
        named = server.nowMs;
      }
      server.nowMs = Math.max(server.nowMs + 1, engine.nextWakeMs());
      run(engine, new Event.Tick());
    }
    assertThat(applied.get(1)).isEqualTo(from);
    assertThat(named - from).isLessThan(60_000);
    assertThat(applied.size()).isLessThan(14);
    // One apply makes the object, and two repairs are no fight yet.
    assertThat(engine.summary(set).counters().contested())
        .isEqualTo(applied.size() - 3)
        .isGreaterThan(3);
    assertThat(engine.summary(set).counters().conflicts()).isZero();
    assertThat(engine.summary(set).items().getFirst().words())
        .matches(
            "field \\.data\\.a is also set by manager kubectl-edit, \\d+ times in 10 minutes;.*");
    assertThat(server.mistakes).isEmpty();
  }

  /** While a repair waits for minutes, nobody says that all is well. */
  @Test
  void anObjectThatIsGoneIsNotApplied() {
    server.nowMs = 10_000;
    Engine engine = new Engine(Options.DEFAULTS.following(true));
    run(engine, new Event.Desired(set, List.of(manifest), true));
    server.nowMs += 60_000;
    long gone = 0;
    for (int at = 0; at < 6; at++) {
      ModelObject last = server.objects.get(key).copy();
      server.delete(key);
      last.version = server.version;
      run(
          engine,
          new Event.Watched(
              watch.groupKind(),
              watch.number(),
              new WatchEvent.Gone(last.observed("exaplane", false), 9)));
      if (!server.objects.containsKey(key)) {
        gone++;
        assertThat(engine.summary(set).good()).as("deletion %d", at).isFalse();
        assertThat(engine.summary(set).items().getFirst().words()).contains("somebody delete");
      }
      while (!server.objects.containsKey(key)) {
        server.nowMs = Math.max(server.nowMs + 1, engine.nextWakeMs());
        run(engine, new Event.Tick());
      }
      assertThat(engine.summary(set).good()).isTrue();
    }
    assertThat(gone).isGreaterThan(2);
  }

  @Test
  void respectYieldsOnceAndTriesAgainOnlyWhenOthersChange() {
    server.nowMs = 10_000;
    Engine engine = new Engine(Options.DEFAULTS.following(true).forcing(false));
    run(engine, new Event.Desired(set, List.of(manifest), true));
    server.nowMs += 60_000;
    opponent(engine);
    assertThat(applied).hasSize(2);
    for (int at = 0; at < 100; at++) {
      server.nowMs += 600_000;
      run(engine, new Event.Tick());
    }
    assertThat(applied).hasSize(2);
    assertThat(engine.summary(set).items().getFirst().words())
        .contains("field .data.a: conflict with \"kubectl-edit\"");
    server.update(key, "kubectl-edit", java.util.Collections.singletonMap(FIELD, null));
    run(
        engine,
        new Event.Watched(
            watch.groupKind(),
            watch.number(),
            new WatchEvent.Changed(server.objects.get(key).observed("exaplane", false), 9)));
    assertThat(applied).hasSize(3);
    assertThat(engine.summary(set).good()).isTrue();
    assertThat(engine.summary(set).counters().contested()).isZero();
  }
}
