// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.inventory.Inventory;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.port.Failure;
import io.exaplane.apply.port.ListPage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A webhook, or the API behind one kind, answers 429 for ever, and asks for a minute each time. */
class ThrottledKindTest {
  private static final int MANY = 200;
  private final ApplySet busy = new ApplySet("busy", "default");
  private final ApplySet other = new ApplySet("other", "default");
  private final ModelServer server = new ModelServer();
  private final Engine engine = new Engine(Options.DEFAULTS.following(true));
  private int refused;

  private void run(Event first) {
    ArrayDeque<Event> events = new ArrayDeque<>(List.of(first));
    while (!events.isEmpty()) {
      for (Action action : engine.on(events.remove(), server.nowMs)) {
        switch (action) {
          case Action.Tell _, Action.Watch _ -> {}
          case Action.Discover _ -> events.add(new Event.Discovered(server.discovery()));
          case Action.Load one -> events.add(new Event.Loaded(one.source(), Inventory.EMPTY));
          case Action.Save one -> events.add(new Event.Saved(one.source(), null));
          case Action.Page one ->
              events.add(
                  new Event.Listed(
                      one.groupKind(), one.number(), new ListPage(List.of(), 1, "", 0)));
          case Action.Apply one -> events.add(apply(one));
          default -> throw new IllegalStateException("not expected: " + action);
        }
      }
    }
  }

  private Event apply(Action.Apply one) {
    if (one.key().kind().equals("Deployment")) {
      refused++;
      Failure failure = new Failure(429, "TooManyRequests", "no", 60_000, false, List.of());
      return new Event.NotApplied(one.key(), one.ticket(), failure);
    }
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

  private void pass(long ms) {
    long until = server.nowMs + ms;
    while (server.nowMs < until) {
      server.nowMs = Math.min(until, Math.max(server.nowMs + 1, engine.nextWakeMs()));
      run(new Event.Tick());
    }
  }

  @Test
  void otherKindsGoOn() {
    server.nowMs = 10_000;
    List<Manifest> deployments = new ArrayList<>();
    for (int at = 0; at < MANY; at++) {
      deployments.add(Wishes.manifest(Wishes.DEPLOYMENT, "default", "d" + at, "1", ""));
    }
    run(new Event.Desired(busy, deployments, true));
    pass(600_000);
    assertThat(refused).as("the kind waits as long as it was asked to").isLessThan(MANY);
    run(
        new Event.Desired(
            other, List.of(Wishes.manifest(Wishes.CONFIG_MAP, "default", "x", "1", "")), true));
    pass(5_000);
    assertThat(engine.summary(other).good()).isTrue();
  }
}
