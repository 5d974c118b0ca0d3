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

/** A request that was cut off ends behind the one that repeated it, within the same second. */
class CutOffTest {
  private static final String FIELD = "data" + ModelObject.STEP + "a";
  private final ApplySet set = new ApplySet("one", "default");
  private final ModelServer server = new ModelServer();
  private final Engine engine = new Engine(Options.DEFAULTS.following(true));
  private Action.Watch watch;
  private Action.Apply cutOff;
  private boolean isCut = true;
  private int applies;

  private static Manifest manifest(String value) {
    return Wishes.manifest(Wishes.CONFIG_MAP, "default", "x", value, "");
  }

  private ModelObject apply(Action.Apply one) throws ModelServer.Refused {
    return server.apply(
        one.key(),
        ModelServer.leaves(one.set().member(one.manifest())),
        ModelServer.US,
        one.force(),
        one.manifest().hash());
  }

  private void run(Event first) throws ModelServer.Refused {
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
          case Action.Apply one -> events.add(isCut ? cut(one) : done(one));
          default -> throw new IllegalStateException("not expected: " + action);
        }
      }
    }
  }

  private Event cut(Action.Apply one) {
    cutOff = one;
    isCut = false;
    return new Event.NotApplied(
        one.key(), one.ticket(), new Failure(0, "", "cut off", 0, true, List.of()));
  }

  private Event done(Action.Apply one) throws ModelServer.Refused {
    applies++;
    return new Event.Applied(
        one.key(), one.ticket(), apply(one).observed(ModelServer.US, false), 5);
  }

  private void changed() throws ModelServer.Refused {
    run(
        new Event.Watched(
            watch.groupKind(),
            watch.number(),
            new WatchEvent.Changed(
                server.objects.get(cutOff.key()).observed(ModelServer.US, false), 9)));
  }

  @Test
  void isPutRightOnce() throws ModelServer.Refused {
    server.nowMs = 10_000;
    run(new Event.Desired(set, List.of(manifest("old")), true));
    assertThat(cutOff).isNotNull();
    run(new Event.Desired(set, List.of(manifest("new")), true));
    server.nowMs += 2_000;
    run(new Event.Tick());
    assertThat(applies).isOne();
    apply(cutOff);
    changed();
    server.nowMs += 2_000;
    run(new Event.Tick());
    assertThat(server.objects.get(cutOff.key()).leaves).containsEntry(FIELD, "new");
    assertThat(applies).isEqualTo(2);
    changed();
    server.status(cutOff.key());
    changed();
    server.nowMs += 2_000;
    run(new Event.Tick());
    assertThat(applies).as("the next changes are nobody's late request").isEqualTo(2);
  }
}
