// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.inventory.Inventory;
import io.exaplane.apply.inventory.InventoryRecord;
import io.exaplane.apply.manifest.Gvk;
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

/** A server shows one stored object in two API groups, as kube-apiserver does with events. */
class SameObjectTest {
  private static final Gvk FORMER = new Gvk("", "v1", "Event");
  private static final Gvk LATTER = new Gvk("events.k8s.io", "v1", "Event");
  private final ApplySet set = new ApplySet("one", "default");
  private final Engine engine = new Engine(Options.DEFAULTS.pruning(true, false));
  private final List<ObjectKey> deleted = new ArrayList<>();
  private final List<Notice> notices = new ArrayList<>();
  private long version = 5;

  private static ObjectKey key(Gvk gvk) {
    return new ObjectKey(gvk.group(), gvk.kind(), "default", "boot");
  }

  private static Manifest manifest(Gvk gvk) {
    return Wishes.manifest(gvk, "default", "boot", "v", "");
  }

  private Observed object(ObjectKey key, String uid) {
    return new Observed(
        key,
        uid,
        version,
        0,
        false,
        set.id(),
        0,
        Health.UNKNOWN,
        List.of(new FieldManager("exaplane", "Apply", "", "v1", "then", new byte[] {'{', '}'})));
  }

  private Discovery discovery() {
    return new Discovery(
        Map.of(
            FORMER,
            new ResourceType(FORMER, "events", true, Set.of("list")),
            LATTER,
            new ResourceType(LATTER, "events", true, Set.of("list")),
            Wishes.CONFIG_MAP,
            new ResourceType(Wishes.CONFIG_MAP, "configmaps", true, Set.of("list"))),
        Set.of());
  }

  private Inventory before() {
    return new Inventory(
        Set.of("Event"),
        1,
        List.of(new InventoryRecord(key(FORMER), manifest(FORMER).hash(), 1, 0, 0, version)),
        "");
  }

  private ListPage page(String groupKind) {
    boolean isEvent = groupKind.startsWith("Event");
    Gvk gvk = groupKind.equals("Event") ? FORMER : LATTER;
    return new ListPage(isEvent ? List.of(object(key(gvk), "uid-1")) : List.of(), version, "", 0);
  }

  private void run(Event first) {
    ArrayDeque<Event> events = new ArrayDeque<>(List.of(first));
    while (!events.isEmpty()) {
      for (Action action : engine.on(events.remove(), 1_000)) {
        switch (action) {
          case Action.Tell one -> notices.add(one.notice());
          case Action.Discover _ -> events.add(new Event.Discovered(discovery()));
          case Action.Load one -> events.add(new Event.Loaded(one.source(), before()));
          case Action.Save one -> events.add(new Event.Saved(one.source(), null));
          case Action.Page one ->
              events.add(new Event.Listed(one.groupKind(), one.number(), page(one.groupKind())));
          case Action.Apply one -> {
            version++;
            String uid = one.key().kind().equals("Event") ? "uid-1" : "uid-2";
            events.add(new Event.Applied(one.key(), one.ticket(), object(one.key(), uid), 5));
          }
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
  void isNotDeletedByItsFormerName() {
    run(new Event.Desired(set, List.of(manifest(LATTER)), true));
    assertThat(deleted).isEmpty();
    assertThat(engine.idle(set)).isTrue();
    assertThat(engine.summary(set).good()).isTrue();
    assertThat(notices)
        .filteredOn(one -> one.kind() == Notice.Kind.KEPT)
        .singleElement()
        .extracting(Notice::message)
        .asString()
        .contains("is the same object as", "events.k8s.io");
  }

  @Test
  void isDeletedOnceWhenNoManifestNamesItAnyMore() {
    run(new Event.Desired(set, List.of(manifest(LATTER)), true));
    Manifest other = Wishes.manifest(Wishes.CONFIG_MAP, "default", "other", "v", "");
    run(new Event.Desired(set, List.of(other), true));
    assertThat(deleted).containsExactly(key(LATTER));
  }
}
