// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.apply.entry.Outcome;
import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.inventory.Inventory;
import io.exaplane.apply.manifest.Gvk;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.port.Failure;
import io.exaplane.apply.port.ListPage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What users are told of objects that stay or change hands, and of inventories of others. */
class NoticesTest {
  private final ApplySet set = new ApplySet("one", "default");
  private final ModelServer server = new ModelServer();
  private final Engine engine = new Engine(Options.DEFAULTS.pruning(true, false));
  private final List<Notice> notices = new ArrayList<>();
  private Inventory before = Inventory.EMPTY;
  private Failure unreadable;
  private int applies;

  private void run(Event first) throws ModelServer.Refused {
    ArrayDeque<Event> events = new ArrayDeque<>(List.of(first));
    while (!events.isEmpty()) {
      for (Action action : engine.on(events.remove(), server.nowMs)) {
        switch (action) {
          case Action.Tell one -> notices.add(one.notice());
          case Action.Discover _ -> events.add(new Event.Discovered(server.discovery()));
          case Action.Load one ->
              events.add(
                  unreadable == null
                      ? new Event.Loaded(one.source(), before)
                      : new Event.NotLoaded(one.source(), unreadable));
          case Action.Save one -> events.add(new Event.Saved(one.source(), null));
          case Action.Page one ->
              events.add(
                  new Event.Listed(
                      one.groupKind(), one.number(), new ListPage(List.of(), 1, "", 0)));
          case Action.Apply one -> {
            applies++;
            ModelObject after =
                server.apply(
                    one.key(),
                    ModelServer.leaves(one.set().member(one.manifest())),
                    ModelServer.US,
                    one.force(),
                    one.manifest().hash());
            events.add(
                new Event.Applied(
                    one.key(), one.ticket(), after.observed(ModelServer.US, false), 5));
          }
          default -> throw new IllegalStateException("not expected: " + action);
        }
      }
    }
  }

  private static Manifest map(String name) {
    return Wishes.manifest(Wishes.CONFIG_MAP, "default", name, "v", "");
  }

  private List<String> told(Notice.Kind kind) {
    return notices.stream().filter(one -> one.kind() == kind).map(Notice::message).toList();
  }

  @Test
  void anObjectThatOthersMadeIsTold() throws ModelServer.Refused {
    server.nowMs = 1_000;
    server.update(map("helms").key(), "helm", Map.of("data" + ModelObject.STEP + "own", "x"));
    run(new Event.Desired(set, List.of(map("helms"), map("ours")), true));
    assertThat(told(Notice.Kind.ADOPTED))
        .singleElement()
        .asString()
        .contains("helms existed before: manager helm made it", "pruning deletes it whole");
  }

  @Test
  void aKindThatIsNotServedIsToldOnceAndIsNoProblem() throws ModelServer.Refused {
    server.nowMs = 1_000;
    before = new Inventory(Set.of("ConfigMap", "Widget.example.com"), 1, List.of(), "");
    run(new Event.Desired(set, List.of(map("ours")), true));
    run(new Event.Tick());
    assertThat(engine.idle(set)).isTrue();
    assertThat(engine.summary(set).good()).isTrue();
    assertThat(told(Notice.Kind.KEPT))
        .singleElement()
        .asString()
        .contains("objects of kind Widget.example.com are not deleted", "prune again");
  }

  @Test
  void whatASourceCostsIsCounted() throws ModelServer.Refused {
    server.nowMs = 1_000;
    run(new Event.Desired(set, List.of(map("a"), map("b")), true));
    Cost cost = engine.summary(set).cost();
    // The inventory is read, names its kinds before the first object, and has the records at last.
    assertThat(cost.requests()).isEqualTo(2 + 3);
    assertThat(cost.sentBytes()).isEqualTo(map("a").body().length * 2L);
    run(new Event.Desired(set, List.of(map("a"), map("b")), true));
    assertThat(engine.summary(set).cost()).as("nothing changed").isEqualTo(cost);
    assertThat(engine.summary(set).cost().since(cost)).isEqualTo(Cost.NONE);
    assertThat(new Cost(1, 1).since(cost)).as("another engine").isEqualTo(new Cost(1, 1));
  }

  @Test
  void anUnknownKindOrVersionIsNamedAndOthersGoOn() throws ModelServer.Refused {
    server.nowMs = 1_000;
    Manifest typo = Wishes.manifest(new Gvk("e.com", "v1", "Gadgt"), "default", "g", "v", "");
    Manifest old =
        Wishes.manifest(new Gvk("apps", "v1beta1", "Deployment"), "default", "d", "v", "");
    run(new Event.Desired(set, List.of(typo, old, map("ours")), true));
    assertThat(engine.idle(set)).isTrue();
    Summary summary = engine.summary(set);
    assertThat(summary.good()).isFalse();
    assertThat(summary.count(Outcome.APPLIED)).isOne();
    assertThat(summary.items())
        .filteredOn(item -> item.outcome() == Outcome.FAILED)
        .extracting(item -> item.place().file() + ": " + item.words())
        .containsExactlyInAnyOrder(
            "g.yaml: kind 'e.com/v1 Gadgt' must be one that the server serves; create its definition,"
                + " or correct apiVersion and kind",
            "d.yaml: apiVersion: 'apps/v1beta1' of kind Deployment must be one that the server"
                + " serves; use 'apps/v1'");
  }

  @Test
  void anInventoryOfAnotherToolStopsTheSourceAtOnce() throws ModelServer.Refused {
    server.nowMs = 1_000;
    unreadable = new Failure(409, Failure.TAKEN, "is the set of another tool", 0, false, List.of());
    run(new Event.Desired(set, List.of(map("ours")), true));
    assertThat(applies).isZero();
    assertThat(engine.idle(set)).isTrue();
    assertThat(engine.summary(set).halted()).isEqualTo("is the set of another tool");
    unreadable = null;
    server.nowMs += 60_000;
    run(new Event.Tick());
    assertThat(applies).as("the ConfigMap is gone: the source goes on").isOne();
    assertThat(engine.summary(set).good()).isTrue();
  }
}
