// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.inventory.Inventory;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.port.ListPage;
import io.exaplane.apply.port.Observed;
import io.exaplane.apply.port.WatchEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Controllers write the status of all objects each second, for ten minutes of a simulated clock, or
 * for as many as {@code -Dapply.churnMinutes=N} says.
 */
class ChurnTest {
  private static final int DEPLOYMENTS = 40;
  private static final int MAPS = 20;
  private static final int MINUTES = Integer.getInteger("apply.churnMinutes", 10);
  private static final int DRIFT_EACH_SECONDS = 20;

  private final ApplySet set = new ApplySet("one", "default");
  private final ModelServer server = new ModelServer();
  private final Engine engine = new Engine(Options.DEFAULTS.following(true));
  private final Map<String, Action.Watch> watches = new HashMap<>();

  private void run(Event first) {
    ArrayDeque<Event> events = new ArrayDeque<>(List.of(first));
    while (!events.isEmpty()) {
      for (Action action : engine.on(events.remove(), server.nowMs)) {
        switch (action) {
          case Action.Tell _ -> {}
          case Action.Watch one -> watches.put(one.groupKind(), one);
          case Action.Discover _ -> events.add(new Event.Discovered(server.discovery()));
          case Action.Load one -> events.add(new Event.Loaded(one.source(), Inventory.EMPTY));
          case Action.Save one -> events.add(new Event.Saved(one.source(), null));
          case Action.Page one -> events.add(page(one));
          case Action.Apply one -> events.add(apply(one));
          default -> throw new IllegalStateException("not expected: " + action);
        }
      }
    }
  }

  private Event page(Action.Page one) {
    List<Observed> items =
        server.objects.values().stream()
            .filter(object -> State.groupKind(object.key).equals(one.groupKind()))
            .map(ChurnTest::observed)
            .toList();
    return new Event.Listed(
        one.groupKind(), one.number(), new ListPage(items, server.version, "", 0));
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
      return new Event.Applied(one.key(), one.ticket(), observed(object), 5);
    } catch (ModelServer.Refused e) {
      return new Event.NotApplied(one.key(), one.ticket(), e.failure);
    }
  }

  private static Observed observed(ModelObject object) {
    return object.observed(ModelServer.US, ModelServer.full(State.groupKind(object.key)));
  }

  /** All watches show all that happened since the last time. */
  private void deliver() {
    for (int at = 0; at < server.history.size(); at++) {
      ModelServer.Change change = server.history.get(at);
      Action.Watch watch = watches.get(change.groupKind());
      if (watch != null) {
        WatchEvent event = new WatchEvent.Changed(observed(change.after()), 100);
        run(new Event.Watched(change.groupKind(), watch.number(), event));
      }
    }
    server.history.clear();
  }

  private Counters counters() {
    return engine.summary(set).counters();
  }

  @Test
  void hitsAreNinetyNinePercentAtLeast() {
    server.nowMs = 10_000;
    List<Manifest> manifests = new ArrayList<>();
    for (int at = 0; at < DEPLOYMENTS; at++) {
      manifests.add(Wishes.manifest(Wishes.DEPLOYMENT, "default", "d" + at, "v", ""));
    }
    for (int at = 0; at < MAPS; at++) {
      manifests.add(Wishes.manifest(Wishes.CONFIG_MAP, "default", "m" + at, "v", ""));
    }
    run(new Event.Desired(set, manifests, true));
    deliver();
    for (int at = 0; at < 60; at++) {
      server.nowMs += 1_000;
      run(new Event.Tick());
      deliver();
    }
    Counters before = counters();
    assertThat(before.applies()).isEqualTo(DEPLOYMENTS + MAPS);
    int drifts = churn(manifests);
    Counters after = counters();
    double ratio = after.hitRatio(before);
    System.out.printf(
        "%d minutes of churn: %d events, %d applies for %d drifts, hit ratio %.2f %%%n",
        MINUTES,
        after.events() - before.events(),
        after.applies() - before.applies(),
        drifts,
        100 * ratio);
    assertThat(after.applies() - before.applies()).isEqualTo(drifts);
    assertThat(ratio).isBetween(0.99, 0.9999);
    assertThat(after.lists()).isEqualTo(before.lists());
    assertThat(after.discoveries()).isEqualTo(before.discoveries());
    assertThat(server.mistakes).isEmpty();
    assertThat(engine.summary(set).good()).isTrue();
  }

  /** Each second a status of each object; now and then, somebody changes what we own. */
  private int churn(List<Manifest> manifests) {
    int drifts = 0;
    for (int second = 1; second <= 60 * MINUTES; second++) {
      server.nowMs += 1_000;
      for (ObjectKey key : List.copyOf(server.objects.keySet())) {
        server.status(key);
      }
      if (second % DRIFT_EACH_SECONDS == 0) {
        ObjectKey key = manifests.get(drifts++ % manifests.size()).key();
        server.update(key, "kubectl-edit", Map.of("data" + ModelObject.STEP + "a", "x" + second));
      }
      deliver();
      run(new Event.Tick());
      deliver();
    }
    return drifts;
  }

  @Test
  void eventsOfOurOwnAppliesAreNoLooks() {
    Counters before = new Counters();
    Counters after = new Counters();
    assertThat(after.hitRatio(before)).isEqualTo(1);
    after.events = 100;
    assertThat(after.hitRatio(before)).isEqualTo(1);
    after.applies[0] = 10;
    assertThat(after.hitRatio(before))
        .as("10 of 90 were misses")
        .isCloseTo(80 / 90.0, within(1e-9));
    after.events = 20;
    assertThat(after.hitRatio(before)).isZero();
    after.events = 0;
    assertThat(after.hitRatio(before)).isZero();
  }
}
