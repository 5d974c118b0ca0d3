// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.inventory.Inventory;
import io.exaplane.apply.inventory.InventoryRecord;
import io.exaplane.apply.manifest.Gvk;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.order.Order;
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

/** A Job that the cluster deletes after its end is not run again. */
class OwnEndTest {
  private static final Gvk JOB = new Gvk("batch", "v1", "Job");
  private static final String TTL = ",\"spec\":{\"ttlSecondsAfterFinished\":60}";
  private final ApplySet set = new ApplySet("one", "default");
  private final Map<String, Integer> watches = new HashMap<>();
  private final List<String> applied = new ArrayList<>();
  private Engine engine = new Engine(Options.DEFAULTS.following(true));
  private List<InventoryRecord> records = List.of();
  private long version = 10;
  private long nowMs = 1_000;

  private Observed object(Manifest manifest, Health health, boolean deleting) {
    return new Observed(
        manifest.key(),
        "uid-" + manifest.key().name(),
        ++version,
        1,
        deleting,
        set.id(),
        0,
        health,
        List.of(new FieldManager("exaplane", "Apply", "", "v1", "then", new byte[] {'{', '}'})));
  }

  private static ResourceType type(Gvk gvk) {
    return new ResourceType(
        gvk, gvk.kind().toLowerCase(java.util.Locale.ROOT), true, Set.of("list"));
  }

  private void run(Event first) {
    ArrayDeque<Event> events = new ArrayDeque<>(List.of(first));
    while (!events.isEmpty()) {
      for (Action action : engine.on(events.remove(), nowMs)) {
        switch (action) {
          case Action.Tell _ -> {}
          case Action.Discover _ ->
              events.add(
                  new Event.Discovered(
                      new Discovery(
                          Map.of(JOB, type(JOB), Wishes.CONFIG_MAP, type(Wishes.CONFIG_MAP)),
                          Set.of())));
          case Action.Load one ->
              events.add(
                  new Event.Loaded(
                      one.source(), new Inventory(Set.of("Job.batch"), 1, records, "")));
          case Action.Save one -> events.add(new Event.Saved(one.source(), null));
          case Action.Page one ->
              events.add(
                  new Event.Listed(
                      one.groupKind(), one.number(), new ListPage(List.of(), version, "", 0)));
          case Action.Watch one -> watches.put(one.groupKind(), one.number());
          case Action.Apply one -> {
            applied.add(one.key().name());
            Health health = one.key().kind().equals("Job") ? Health.IN_PROGRESS : Health.UNKNOWN;
            Observed after = object(one.manifest(), health, false);
            events.add(new Event.Applied(one.key(), one.ticket(), after, 5));
          }
          default -> throw new IllegalStateException("not expected: " + action);
        }
      }
    }
  }

  private void changed(Manifest job, Health health, boolean deleting) {
    watched(new WatchEvent.Changed(object(job, health, deleting), 0));
  }

  private void gone(Manifest job) {
    watched(new WatchEvent.Gone(object(job, Health.TERMINATING, true), 0));
  }

  private void watched(WatchEvent event) {
    run(new Event.Watched("Job.batch", watches.get("Job.batch"), event));
    nowMs += 10_000;
    run(new Event.Tick());
  }

  private static Manifest job(String value, String more) {
    return Wishes.manifest(JOB, "default", "migrate", value, more);
  }

  @Test
  void aJobThatEndedIsDone() {
    Manifest job = job("1", TTL);
    run(new Event.Desired(set, List.of(job), true));
    changed(job, Health.CURRENT, false);
    changed(job, Health.CURRENT, true);
    gone(job);
    assertThat(applied).containsExactly("migrate");
    assertThat(engine.summary(set).good()).isTrue();
    run(new Event.Desired(set, List.of(job("2", TTL)), true));
    assertThat(applied).as("another manifest is another run").hasSize(2);
  }

  @Test
  void afterARestartTheJobIsDoneToo() {
    Manifest job = job("1", TTL);
    records = List.of(new InventoryRecord(job.key(), job.hash(), 1, 1, 1, 5));
    run(new Event.Desired(set, List.of(job), true));
    assertThat(applied).isEmpty();
    assertThat(engine.summary(set).good()).isTrue();
  }

  @Test
  void whatWaitsForTheJobGoesOn() {
    Manifest job = job("1", TTL);
    records = List.of(new InventoryRecord(job.key(), job.hash(), 1, 1, 1, 5));
    Manifest plain = Wishes.manifest(Wishes.CONFIG_MAP, "default", "after", "1", "");
    Manifest after =
        new Manifest(
            plain.gvk(),
            plain.key(),
            plain.body(),
            plain.hash(),
            Map.of(Order.DEPENDS_ON, "batch/namespaces/default/Job/migrate"),
            plain.source());
    run(new Event.Desired(set, List.of(job, after), true));
    assertThat(applied).containsExactly("after");
  }

  @Test
  void aJobThatFailedOrWasDeletedWhileItRanComesBack() {
    Manifest job = job("1", TTL);
    run(new Event.Desired(set, List.of(job), true));
    gone(job);
    assertThat(applied).as("deleted while it ran").hasSize(2);
    changed(job, Health.FAILED, false);
    gone(job);
    assertThat(applied).as("failed").hasSize(3);
  }

  @Test
  void aJobWithoutThatFieldComesBack() {
    Manifest job = job("1", "");
    run(new Event.Desired(set, List.of(job), true));
    changed(job, Health.CURRENT, false);
    gone(job);
    assertThat(applied).hasSize(2);
  }
}
