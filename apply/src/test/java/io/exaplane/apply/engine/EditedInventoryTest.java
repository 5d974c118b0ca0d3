// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.inventory.Inventory;
import io.exaplane.apply.inventory.InventoryRecord;
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
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Somebody took a kind out of the inventory's annotation; the records still have its objects. */
class EditedInventoryTest {
  private final ApplySet set = new ApplySet("one", "default");
  private final ObjectKey former = new ObjectKey("apps", "Deployment", "default", "former");
  private final Engine engine = new Engine(Options.DEFAULTS.pruning(true, false));
  private final List<ObjectKey> deleted = new ArrayList<>();

  private Observed object(ObjectKey key, long version) {
    return new Observed(
        key,
        "uid-" + key.name(),
        version,
        1,
        false,
        set.id(),
        0,
        Health.UNKNOWN,
        List.of(new FieldManager("exaplane", "Apply", "", "v1", "then", new byte[] {'{', '}'})));
  }

  private void run(Event first) {
    ArrayDeque<Event> events = new ArrayDeque<>(List.of(first));
    while (!events.isEmpty()) {
      for (Action action : engine.on(events.remove(), 1_000)) {
        switch (action) {
          case Action.Tell _ -> {}
          case Action.Discover _ ->
              events.add(
                  new Event.Discovered(
                      new Discovery(
                          Map.of(
                              Wishes.DEPLOYMENT,
                              new ResourceType(
                                  Wishes.DEPLOYMENT, "deployments", true, Set.of("list")),
                              Wishes.CONFIG_MAP,
                              new ResourceType(
                                  Wishes.CONFIG_MAP, "configmaps", true, Set.of("list"))),
                          Set.of())));
          case Action.Load one ->
              events.add(
                  new Event.Loaded(
                      one.source(),
                      new Inventory(
                          Set.of("ConfigMap"),
                          1,
                          List.of(new InventoryRecord(former, 1, 1, 1, 1, 4)),
                          "")));
          case Action.Save one -> events.add(new Event.Saved(one.source(), null));
          case Action.Page one ->
              events.add(
                  new Event.Listed(
                      one.groupKind(),
                      one.number(),
                      new ListPage(
                          one.groupKind().equals("ConfigMap")
                              ? List.of()
                              : List.of(object(former, 5)),
                          5,
                          "",
                          0)));
          case Action.Apply one ->
              events.add(new Event.Applied(one.key(), one.ticket(), object(one.key(), 9), 5));
          case Action.Delete one -> {
            deleted.add(one.request().key());
            events.add(new Event.Deleted(one.request().key(), one.ticket(), null));
          }
          default -> throw new IllegalStateException("not expected: " + action);
        }
      }
    }
  }

  @Test
  void whatTheSourceNoLongerHasIsFoundAndDeleted() {
    Manifest kept = Wishes.manifest(Wishes.CONFIG_MAP, "default", "kept", "1", "");
    run(new Event.Desired(set, List.of(kept), true));
    run(new Event.Tick());
    assertThat(deleted).containsExactly(former);
    assertThat(engine.idle(set)).isTrue();
  }
}
