// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.inventory.Inventory;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.port.Failure;
import io.exaplane.apply.port.ListPage;
import io.exaplane.apply.port.WatchEvent;
import java.util.ArrayDeque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Somebody takes the right to watch from the account of a source. */
class UnseenTest {
  private final ApplySet set = new ApplySet("one", "default");
  private final ModelServer server = new ModelServer();
  private final Manifest manifest = Wishes.manifest(Wishes.CONFIG_MAP, "default", "x", "1", "");
  private final Engine engine = new Engine(Options.DEFAULTS.following(true));
  private Action.Watch watch;

  private void run(Event first) {
    ArrayDeque<Event> events = new ArrayDeque<>(List.of(first));
    while (!events.isEmpty()) {
      for (Action action : engine.on(events.remove(), server.nowMs)) {
        switch (action) {
          case Action.Tell _ -> {}
          case Action.Discover _ -> events.add(new Event.Discovered(server.discovery()));
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
      return new Event.NotApplied(one.key(), one.ticket(), e.failure);
    }
  }

  private void watchesEnd(int code, String message) {
    for (int at = 0; at < 4; at++) {
      Failure failure = new Failure(code, "", message, 0, false, List.of());
      run(new Event.WatchEnded(watch.groupKind(), watch.number(), failure));
      server.nowMs += 60_000;
      run(new Event.Tick());
    }
  }

  @Test
  void aSourceWhoseObjectsNobodySeesIsNotGood() {
    server.nowMs = 10_000;
    run(new Event.Desired(set, List.of(manifest), true));
    assertThat(engine.summary(set).good()).isTrue();
    watchesEnd(403, "configmaps is forbidden");
    assertThat(engine.summary(set).good()).isFalse();
    assertThat(engine.summary(set).problems().toString())
        .contains("kind ConfigMap are not seen: configmaps is forbidden", "list and watch");
    run(new Event.Watched(watch.groupKind(), watch.number(), new WatchEvent.Bookmark(20)));
    assertThat(engine.summary(set).good()).as("the right is back").isTrue();
  }

  @Test
  void aServerThatIsAwayIsNoFaultOfTheSource() {
    server.nowMs = 10_000;
    run(new Event.Desired(set, List.of(manifest), true));
    watchesEnd(0, "connection refused");
    assertThat(engine.summary(set).good()).isTrue();
  }
}
