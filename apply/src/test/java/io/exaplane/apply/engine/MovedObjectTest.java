// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.inventory.Inventory;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.port.Discovery;
import io.exaplane.apply.port.FieldManager;
import io.exaplane.apply.port.Health;
import io.exaplane.apply.port.ListPage;
import io.exaplane.apply.port.Observed;
import io.exaplane.apply.port.ResourceType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** An object moves from one source of an engine to another. */
class MovedObjectTest {
  private final ApplySet a = new ApplySet("a", "default");
  private final ApplySet b = new ApplySet("b", "default");
  private final Engine engine = new Engine(Options.DEFAULTS.pruning(true, false));
  private final Map<ObjectKey, Observed> stored = new HashMap<>();
  private final List<String> deleted = new ArrayList<>();
  private long version = 5;
  private long nowMs = 1_000;

  private static List<Manifest> maps(String... names) {
    return Stream.of(names)
        .map(name -> Wishes.manifest(Wishes.CONFIG_MAP, "default", name, "v", ""))
        .toList();
  }

  private Observed applied(Action.Apply one) {
    FieldManager manager =
        new FieldManager("exaplane", "Apply", "", "v1", "then", new byte[] {'{', '}'});
    Observed object =
        new Observed(
            one.key(),
            "uid-" + one.key().name(),
            ++version,
            0,
            false,
            one.set().id(),
            0,
            Health.UNKNOWN,
            List.of(manager));
    stored.put(one.key(), object);
    return object;
  }

  private void want(ApplySet set, boolean complete, String... names) {
    nowMs += 10_000;
    ArrayDeque<Event> events = new ArrayDeque<>();
    events.add(new Event.Desired(set, maps(names), complete));
    ResourceType type = new ResourceType(Wishes.CONFIG_MAP, "configmaps", true, Set.of("list"));
    while (!events.isEmpty()) {
      for (Action action : engine.on(events.remove(), nowMs)) {
        switch (action) {
          case Action.Tell _ -> {}
          case Action.Watch _ -> {}
          case Action.Discover _ ->
              events.add(
                  new Event.Discovered(new Discovery(Map.of(Wishes.CONFIG_MAP, type), Set.of())));
          case Action.Load one ->
              events.add(new Event.Loaded(one.source(), new Inventory(Set.of(), 1, List.of(), "")));
          case Action.Save one -> events.add(new Event.Saved(one.source(), null));
          case Action.Page one ->
              events.add(
                  new Event.Listed(
                      one.groupKind(),
                      one.number(),
                      new ListPage(List.copyOf(stored.values()), version, "", 0)));
          case Action.Apply one ->
              events.add(new Event.Applied(one.key(), one.ticket(), applied(one), 5));
          case Action.Delete one -> {
            deleted.add(one.request().key().name());
            stored.remove(one.request().key());
            events.add(new Event.Deleted(one.request().key(), one.ticket(), null));
          }
          default -> throw new IllegalStateException("not expected: " + action);
        }
      }
    }
  }

  @Test
  void isDeletedIfTheLoserMayDeleteFirst() {
    want(a, true, "stays", "moves");
    want(a, true, "stays");
    want(b, true, "moves");
    assertThat(deleted).as("why callers hold the right to delete back").containsExactly("moves");
  }

  @Test
  void isNotDeletedIfTheLoserMayDeleteLast() {
    want(a, true, "stays", "moves", "goes");
    want(a, false, "stays");
    want(b, true, "moves");
    assertThat(deleted).isEmpty();
    want(a, true, "stays");
    assertThat(deleted).containsExactly("goes");
    assertThat(stored.values())
        .filteredOn(one -> one.key().name().equals("moves"))
        .singleElement()
        .extracting(Observed::partOf)
        .isEqualTo(b.id());
    assertThat(engine.summary(b).good()).isTrue();
  }

  @Test
  void sourcesCanExchangeObjects() {
    want(a, true, "x", "stays");
    want(b, true, "y", "other");
    want(a, false, "y", "stays");
    want(b, true, "x", "other");
    want(a, true, "y", "stays");
    assertThat(deleted).isEmpty();
    assertThat(engine.summary(a).good()).isTrue();
    assertThat(engine.summary(b).good()).isTrue();
    assertThat(stored.get(maps("y").getFirst().key()).partOf()).isEqualTo(a.id());
  }
}
