// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.inventory.Inventory;
import io.exaplane.apply.inventory.InventoryRecord;
import io.exaplane.apply.manifest.Gvk;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.port.Discovery;
import io.exaplane.apply.port.FieldManager;
import io.exaplane.apply.port.Health;
import io.exaplane.apply.port.ListPage;
import io.exaplane.apply.port.Observed;
import io.exaplane.apply.port.ResourceType;
import io.exaplane.apply.port.WatchEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A source that wants nothing any more is done when the server has nothing of it. */
class RemovalTest {
  private static final Gvk WIDGET = new Gvk("example.com", "v1", "Widget");
  private final ApplySet set = new ApplySet("one", "default");
  private final Engine engine = new Engine(Options.DEFAULTS.pruning(true, false).following(true));
  private final List<ObjectKey> deleted = new ArrayList<>();
  private final Map<String, Integer> watches = new HashMap<>();
  private Set<String> kinds = Set.of();
  private Set<String> savedKinds = Set.of();
  private List<InventoryRecord> records = List.of();
  private boolean isServed = true;
  private long nowMs = 1_000;

  private Observed object(Gvk gvk, long version, boolean deleting) {
    return new Observed(
        new ObjectKey(gvk.group(), gvk.kind(), "default", "held"),
        "uid-1",
        version,
        0,
        deleting,
        set.id(),
        0,
        Health.UNKNOWN,
        List.of(new FieldManager("exaplane", "Apply", "", "v1", "then", new byte[] {'{', '}'})));
  }

  private Discovery discovery() {
    Map<Gvk, ResourceType> types = new HashMap<>();
    types.put(
        Wishes.CONFIG_MAP, new ResourceType(Wishes.CONFIG_MAP, "configmaps", true, Set.of("list")));
    if (isServed) {
      types.put(WIDGET, new ResourceType(WIDGET, "widgets", true, Set.of("list")));
    }
    return new Discovery(types, Set.of());
  }

  private void run(Event first) {
    ArrayDeque<Event> events = new ArrayDeque<>(List.of(first));
    while (!events.isEmpty()) {
      for (Action action : engine.on(events.remove(), nowMs)) {
        switch (action) {
          case Action.Tell _ -> {}
          case Action.Discover _ -> events.add(new Event.Discovered(discovery()));
          case Action.Load one ->
              events.add(new Event.Loaded(one.source(), new Inventory(kinds, 1, records, "")));
          case Action.Save one -> {
            savedKinds = one.save().groupKinds();
            events.add(new Event.Saved(one.source(), null));
          }
          case Action.Page one -> {
            Observed held = object(one.type().gvk(), 5, false);
            events.add(
                new Event.Listed(
                    one.groupKind(), one.number(), new ListPage(List.of(held), 5, "", 0)));
          }
          case Action.Watch one -> watches.put(one.groupKind(), one.number());
          case Action.Delete one -> {
            deleted.add(one.request().key());
            events.add(new Event.Deleted(one.request().key(), one.ticket(), null));
          }
          default -> throw new IllegalStateException("not expected: " + action);
        }
      }
    }
  }

  private void remove() {
    run(new Event.Desired(set, List.of(), true));
    pass(2_000);
  }

  private void pass(long ms) {
    nowMs += ms;
    run(new Event.Tick());
  }

  private void goes(String groupKind) {
    run(
        new Event.Watched(
            groupKind,
            watches.get(groupKind),
            new WatchEvent.Gone(object(Wishes.CONFIG_MAP, 7, true), 0)));
    pass(2_000);
  }

  @Test
  void isNotDoneWhileFinalizersHoldAnObject() {
    kinds = Set.of("ConfigMap");
    remove();
    assertThat(deleted).hasSize(1);
    assertThat(engine.idle(set)).isFalse();
    assertThat(engine.summary(set).problems()).isEmpty();
    pass(400_000);
    assertThat(engine.summary(set).problems().toString())
        .contains("ConfigMap default/held was deleted, and finalizers hold it");
    goes("ConfigMap");
    assertThat(engine.idle(set)).isTrue();
    assertThat(engine.summary(set).problems()).isEmpty();
  }

  @Test
  void anotherEngineKnowsOfWhatFinalizersHold() {
    kinds = Set.of("ConfigMap");
    ObjectKey held = object(Wishes.CONFIG_MAP, 5, false).key();
    records = List.of(new InventoryRecord(held, 1, 1, 0, 0, 4));
    remove();
    assertThat(deleted).containsExactly(held);
    assertThat(savedKinds).containsExactly("ConfigMap");
  }

  @Test
  void isNotDoneWhileTheServerDoesNotServeAKind() {
    kinds = Set.of("Widget.example.com");
    isServed = false;
    remove();
    assertThat(deleted).isEmpty();
    assertThat(engine.idle(set)).isFalse();
    assertThat(engine.summary(set).problems()).isEmpty();
    pass(400_000);
    assertThat(engine.summary(set).problems().toString())
        .contains("objects of kind Widget.example.com may be left", "bring its API server");
    isServed = true;
    pass(70_000);
    assertThat(deleted).hasSize(1);
    assertThat(engine.summary(set).problems()).isEmpty();
  }
}
