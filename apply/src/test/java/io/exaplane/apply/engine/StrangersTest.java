// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.apply.entry.Outcome;
import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.inventory.Inventory;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.port.Failure;
import io.exaplane.apply.port.Health;
import io.exaplane.apply.port.ListPage;
import io.exaplane.apply.port.Observed;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Anybody in a cluster may label objects: neither their size nor their number is the engine's. */
class StrangersTest {
  private final ApplySet set = new ApplySet("one", "default");
  private final ModelServer server = new ModelServer();
  private final Engine engine = new Engine(Options.DEFAULTS.pruning(true, false));
  private final List<Integer> limits = new ArrayList<>();
  private final List<ObjectKey> applied = new ArrayList<>();
  private Inventory before = Inventory.EMPTY;
  private List<Observed> there = List.of();
  private int mostOnAPage = Integer.MAX_VALUE;

  private void run(Event first) {
    ArrayDeque<Event> events = new ArrayDeque<>(List.of(first));
    while (!events.isEmpty()) {
      for (Action action : engine.on(events.remove(), server.nowMs)) {
        switch (action) {
          case Action.Tell _ -> {}
          case Action.Discover _ -> events.add(new Event.Discovered(server.discovery()));
          case Action.Load one -> events.add(new Event.Loaded(one.source(), before));
          case Action.Save one -> events.add(new Event.Saved(one.source(), null));
          case Action.Page one -> {
            limits.add(one.limit());
            events.add(page(one));
          }
          case Action.Apply one -> applied.add(one.key());
          default -> throw new IllegalStateException("not expected: " + action);
        }
      }
    }
  }

  private Event page(Action.Page one) {
    if (one.limit() > mostOnAPage) {
      Failure failure = new Failure(0, Failure.TOO_LARGE, "too many bytes", 0, false, List.of());
      return new Event.NotListed(one.groupKind(), one.number(), failure);
    }
    return new Event.Listed(one.groupKind(), one.number(), new ListPage(there, 9, "", 0));
  }

  private static Manifest map(String name) {
    return Wishes.manifest(Wishes.CONFIG_MAP, "default", name, "v", "");
  }

  private static List<Observed> labelled(int count, String partOf) {
    return IntStream.range(0, count)
        .mapToObj(
            at ->
                new Observed(
                    map("m" + at).key(),
                    "uid-" + at,
                    5,
                    0,
                    false,
                    partOf,
                    0,
                    Health.UNKNOWN,
                    List.of()))
        .toList();
  }

  @Test
  void aPageThatIsTooLargeIsAskedForInSmallerOnes() {
    server.nowMs = 1_000;
    mostOnAPage = 20;
    run(new Event.Desired(set, List.of(map("ours")), true));
    for (int at = 0; at < 5; at++) {
      server.nowMs += 1_000;
      run(new Event.Tick());
    }
    assertThat(limits).containsExactly(500, 125, 31, 7);
    assertThat(applied).containsExactly(map("ours").key());
  }

  @Test
  void objectsOfOtherSetsAreLeftOutBeyondANumberAndLookedUpWhenAManifestNamesOne() {
    server.nowMs = 1_000;
    int count = State.MOST_STRANGERS + 5;
    there = labelled(count, "applyset-of-others");
    run(new Event.Desired(set, List.of(map("ours")), true));
    assertThat(limits).hasSize(1);
    Manifest theirs = map("m" + (count - 1));
    run(new Event.Desired(set, List.of(map("ours"), theirs), true));
    assertThat(limits).hasSize(2);
    assertThat(applied).containsExactly(map("ours").key());
    assertThat(engine.summary(set).items())
        .filteredOn(item -> item.key().equals(theirs.key()))
        .singleElement()
        .extracting(Summary.Item::outcome)
        .isEqualTo(Outcome.TAKEN);
    assertThat(engine.summary(set).problems()).isEmpty();
  }

  @Test
  void objectsWithOurLabelThatAreLeftOutAreAProblem() {
    server.nowMs = 1_000;
    before = new Inventory(Set.of("ConfigMap"), 1, List.of(), "");
    there = labelled(State.MOST_STRANGERS + 1, set.id());
    run(new Event.Desired(set, List.of(map("ours")), true));
    assertThat(engine.summary(set).problems().toString())
        .contains("objects of kind ConfigMap are left out", "delete these labels");
    there = List.of();
    run(new Event.Desired(set, List.of(map("ours")), true));
    assertThat(engine.summary(set).problems()).isEmpty();
  }
}
