// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.inventory.Inventory;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.port.Failure;
import io.exaplane.apply.port.ListPage;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A deletion that the server refuses is a problem of the source, not a success. */
class PruneFailuresTest {
  private final ApplySet set = new ApplySet("one", "default");
  private final ModelServer server = new ModelServer();
  private final Engine engine = new Engine(Options.DEFAULTS.pruning(true, false));
  private Inventory before = Inventory.EMPTY;
  private boolean isHeldBack;
  private Action.Page heldBack;
  private int deletions;

  private void run(Event first) throws ModelServer.Refused {
    ArrayDeque<Event> events = new ArrayDeque<>(List.of(first));
    while (!events.isEmpty()) {
      for (Action action : engine.on(events.remove(), server.nowMs)) {
        switch (action) {
          case Action.Tell _ -> {}
          case Action.Watch _ -> {}
          case Action.Discover _ -> events.add(new Event.Discovered(server.discovery()));
          case Action.Load one -> events.add(new Event.Loaded(one.source(), before));
          case Action.Save one -> events.add(new Event.Saved(one.source(), null));
          case Action.Page one -> {
            if (isHeldBack && one.groupKind().startsWith("Deployment")) {
              heldBack = one;
            } else {
              events.add(
                  new Event.Listed(
                      one.groupKind(), one.number(), new ListPage(List.of(), 1, "", 0)));
            }
          }
          case Action.Apply one ->
              events.add(
                  new Event.Applied(
                      one.key(),
                      one.ticket(),
                      server
                          .apply(
                              one.key(),
                              ModelServer.leaves(one.set().member(one.manifest())),
                              ModelServer.US,
                              one.force(),
                              one.manifest().hash())
                          .observed(ModelServer.US, false),
                      5));
          case Action.Delete one -> {
            deletions++;
            events.add(
                new Event.Deleted(
                    one.request().key(),
                    one.ticket(),
                    new Failure(403, "Forbidden", "no right to delete", 0, false, List.of())));
          }
          default -> throw new IllegalStateException("not expected: " + action);
        }
      }
    }
  }

  @Test
  void areTold() throws ModelServer.Refused {
    server.nowMs = 1_000;
    Manifest stays = Wishes.manifest(Wishes.CONFIG_MAP, "default", "stays", "v", "");
    Manifest goes = Wishes.manifest(Wishes.CONFIG_MAP, "default", "goes", "v", "");
    run(new Event.Desired(set, List.of(stays, goes), true));
    assertThat(engine.summary(set).good()).isTrue();
    run(new Event.Desired(set, List.of(stays), true));
    for (int at = 0; at < 20 && !engine.idle(set); at++) {
      server.nowMs += 60_000;
      run(new Event.Tick());
    }
    assertThat(deletions).isGreaterThanOrEqualTo(3);
    assertThat(engine.idle(set)).isTrue();
    Summary summary = engine.summary(set);
    assertThat(summary.good()).isFalse();
    assertThat(summary.problems().toString()).contains("goes", "403 Forbidden: no right to delete");
  }

  /** The manifests have no Deployment any more, and the inventory says that there were some. */
  @Test
  void aKindThatNobodyCanListIsAwaitedAndThenTold() throws ModelServer.Refused {
    server.nowMs = 1_000;
    before = new Inventory(Set.of("ConfigMap", "Deployment.apps"), 1, List.of(), "");
    isHeldBack = true;
    Manifest stays = Wishes.manifest(Wishes.CONFIG_MAP, "default", "stays", "v", "");
    run(new Event.Desired(set, List.of(stays), true));
    assertThat(heldBack).isNotNull();
    assertThat(engine.idle(set)).isFalse();
    Failure forbidden = new Failure(403, "Forbidden", "no right to list", 0, false, List.of());
    for (int at = 0; at < 20 && !engine.idle(set); at++) {
      run(new Event.NotListed(heldBack.groupKind(), heldBack.number(), forbidden));
      server.nowMs += 60_000;
      run(new Event.Tick());
    }
    assertThat(engine.idle(set)).isTrue();
    assertThat(engine.summary(set).good()).isFalse();
    assertThat(engine.summary(set).problems().toString())
        .contains("nothing of kind Deployment can be deleted", "no right to list");
  }
}
