// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.inventory.Inventory;
import io.exaplane.apply.inventory.InventoryRecord;
import io.exaplane.apply.inventory.InventorySave;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.port.Discovery;
import io.exaplane.apply.port.FieldManager;
import io.exaplane.apply.port.Health;
import io.exaplane.apply.port.ListPage;
import io.exaplane.apply.port.Observed;
import io.exaplane.apply.port.ResourceType;
import io.exaplane.apply.port.WatchEvent;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** An engine lets go of a source: the objects stay, and other sources go on. */
class ReleaseTest {
  private final ApplySet a = new ApplySet("a", "default");
  private final ApplySet b = new ApplySet("b", "default");
  private final Engine engine = new Engine(Options.DEFAULTS.pruning(true, false).following(true));
  private final Map<ObjectKey, Observed> stored = new HashMap<>();
  private final Map<ApplySet, InventorySave> saved = new HashMap<>();
  private final Map<String, Integer> actions = new TreeMap<>();
  private int watch;
  private long version = 5;
  private long nowMs = 1_000;

  private static List<Manifest> maps(String... names) {
    return Stream.of(names)
        .map(name -> Wishes.manifest(Wishes.CONFIG_MAP, "default", name, "v", ""))
        .toList();
  }

  private Observed object(ObjectKey key, String partOf, String time) {
    return new Observed(
        key,
        "uid-" + key.name(),
        ++version,
        0,
        false,
        partOf,
        0,
        Health.UNKNOWN,
        List.of(new FieldManager("exaplane", "Apply", "", "v1", time, new byte[] {'{', '}'})));
  }

  private Inventory inventory(ApplySet set) {
    InventorySave save = saved.get(set);
    if (save == null) {
      return Inventory.EMPTY;
    }
    List<InventoryRecord> records = save.changed().values().stream().flatMap(List::stream).toList();
    return new Inventory(save.groupKinds(), 1, records, "");
  }

  private void want(ApplySet set, String... names) {
    run(new Event.Desired(set, maps(names), true));
    run(new Event.Tick());
  }

  private void run(Event first) {
    nowMs += 10_000;
    ArrayDeque<Event> events = new ArrayDeque<>(List.of(first));
    while (!events.isEmpty()) {
      for (Action action : engine.on(events.remove(), nowMs)) {
        actions.merge(action.getClass().getSimpleName(), 1, Integer::sum);
        switch (action) {
          case Action.Tell _ -> {}
          case Action.Watch one -> watch = one.number();
          case Action.Discover _ -> events.add(discovered());
          case Action.Load one -> events.add(new Event.Loaded(one.source(), inventory(one.set())));
          case Action.Save one -> {
            saved.put(one.set(), one.save());
            events.add(new Event.Saved(one.source(), null));
          }
          case Action.Page one ->
              events.add(
                  new Event.Listed(
                      one.groupKind(),
                      one.number(),
                      new ListPage(List.copyOf(stored.values()), version, "", 0)));
          case Action.Apply one -> {
            stored.put(one.key(), object(one.key(), one.set().id(), "t" + version));
            events.add(new Event.Applied(one.key(), one.ticket(), stored.get(one.key()), 5));
          }
          case Action.Delete one -> {
            stored.remove(one.request().key());
            events.add(new Event.Deleted(one.request().key(), one.ticket(), null));
          }
          default -> throw new IllegalStateException("not expected: " + action);
        }
      }
    }
  }

  private static Event discovered() {
    ResourceType type = new ResourceType(Wishes.CONFIG_MAP, "configmaps", true, Set.of("list"));
    return new Event.Discovered(new Discovery(Map.of(Wishes.CONFIG_MAP, type), Set.of()));
  }

  private void somebodyChanges(String name) {
    ObjectKey key = maps(name).getFirst().key();
    Observed changed = object(key, stored.get(key).partOf(), "later");
    stored.put(key, changed);
    run(new Event.Watched("ConfigMap", watch, new WatchEvent.Changed(changed, 0)));
  }

  private int count(Class<? extends Action> kind) {
    return actions.getOrDefault(kind.getSimpleName(), 0);
  }

  @Test
  void objectsOfAReleasedSourceStayAndAreLeftAlone() {
    want(a, "x", "y");
    want(b, "z");
    actions.clear();
    run(new Event.Released(a));
    run(new Event.Tick());
    somebodyChanges("x");
    want(b, "z");
    assertThat(count(Action.Delete.class)).isZero();
    assertThat(count(Action.Apply.class)).as("no drift is put right").isZero();
    assertThat(count(Action.Save.class)).as("the inventory stays").isZero();
    assertThat(engine.summary(a).items()).isEmpty();
    assertThat(engine.idle(b)).isTrue();
    assertThat(engine.summary(b).good()).isTrue();
    somebodyChanges("z");
    assertThat(count(Action.Apply.class)).as("the other source goes on").isEqualTo(1);
    assertThat(count(Action.Page.class)).as("and nothing is listed again").isZero();
  }

  @Test
  void aSourceThatComesBackAppliesOnlyWhatChanged() {
    want(a, "x", "y", "goes");
    run(new Event.Tick());
    run(new Event.Released(a));
    somebodyChanges("x");
    actions.clear();
    want(a, "x", "y");
    assertThat(count(Action.Load.class)).isEqualTo(1);
    assertThat(count(Action.Apply.class)).as("the drift of x").isEqualTo(1);
    assertThat(count(Action.Delete.class)).isEqualTo(1);
    assertThat(stored.keySet()).extracting(ObjectKey::name).containsExactlyInAnyOrder("x", "y");
    assertThat(engine.summary(a).good()).isTrue();
  }

  @Test
  void anotherSourceDoesNotTakeObjectsOfAReleasedOne() {
    want(a, "x");
    want(b, "z", "x");
    assertThat(engine.summary(b).problems().toString()).contains("also in source 'a'");
    run(new Event.Released(a));
    assertThat(engine.summary(b).problems()).isEmpty();
    assertThat(engine.summary(b).items().toString()).contains("it belongs to set");
    assertThat(stored.get(maps("x").getFirst().key()).partOf()).isEqualTo(a.id());
  }

  @Test
  void answersForAReleasedSourceChangeNothing() {
    engine.on(new Event.Desired(a, maps("x"), true), nowMs);
    engine.on(new Event.Released(a), nowMs);
    run(discovered());
    run(new Event.Loaded(0, new Inventory(Set.of("ConfigMap"), 1, List.of(), "")));
    assertThat(engine.hasInventory(a)).isFalse();
    want(b, "z");
    assertThat(engine.summary(b).good()).isTrue();
    assertThat(stored.keySet()).extracting(ObjectKey::name).containsExactly("z");
  }

  @Test
  void anInventoryIsKnownOnceItWasReadOrWritten() {
    want(a);
    assertThat(engine.hasInventory(a)).as("somebody deleted it").isFalse();
    want(a, "x");
    want(a);
    assertThat(engine.hasInventory(a)).as("written, and empty again").isTrue();
    saved.put(b, new InventorySave(Set.of(), Set.of(), 1, Map.of()));
    want(b);
    assertThat(engine.hasInventory(b)).isTrue();
  }
}
