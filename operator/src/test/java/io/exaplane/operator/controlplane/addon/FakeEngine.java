// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.apply.engine.Cost;
import io.exaplane.apply.engine.Counters;
import io.exaplane.apply.engine.Notice;
import io.exaplane.apply.engine.Summary;
import io.exaplane.apply.entry.Outcome;
import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.pace.NewDefinitions;
import io.exaplane.apply.port.ApiException;
import io.exaplane.apply.port.Failure;
import io.exaplane.apply.port.Health;
import io.exaplane.apply.port.ResourceType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An engine whose objects stand as a test says. One thread. */
final class FakeEngine implements AddonEngine {
  final EngineKey key;
  final Map<String, List<Manifest>> wanted = new HashMap<>();
  final Map<String, Boolean> complete = new HashMap<>();

  /** What it was told, in order: source, number of objects, whether it may delete. */
  final List<String> told = new ArrayList<>();

  final List<String> forgotten = new ArrayList<>();

  /** Of which sources it let go. */
  final List<String> dropped = new ArrayList<>();

  /** What the hosted API has. */
  Map<ObjectKey, ObjectNode> live = Map.of();

  /** Why the hosted API does not answer. */
  Optional<Failure> silence = Optional.empty();

  /** What a source would add. */
  Optional<NewDefinitions> added = Optional.empty();

  /** How often somebody asked for that. */
  int counted;

  /** What the source cost. */
  Cost cost = Cost.NONE;

  boolean hasInventory = true;
  final List<Notice> notices = new ArrayList<>();
  Outcome outcome = Outcome.APPLIED;
  Health health = Health.UNKNOWN;
  String words = "";
  boolean idle = true;
  boolean ended;
  boolean closed;
  long events;
  int looks;

  FakeEngine(EngineKey key) {
    this.key = key;
  }

  /** Something happened, and objects stand like that now. */
  void now(Outcome how, Health state, String said) {
    outcome = how;
    health = state;
    words = said;
    events++;
  }

  @Override
  public void want(ApplySet set, List<Manifest> manifests, boolean whole) {
    wanted.put(set.name(), manifests);
    complete.put(set.name(), whole);
    told.add("%s %d %s".formatted(set.name(), manifests.size(), whole));
    events++;
  }

  @Override
  public void drop(ApplySet set) {
    wanted.remove(set.name());
    dropped.add(set.name());
  }

  @Override
  public Standing look(ApplySet set) {
    looks++;
    int[] counts = new int[Outcome.values().length];
    List<Summary.Item> items = new ArrayList<>();
    for (Manifest one : wanted.getOrDefault(set.name(), List.of())) {
      counts[outcome.ordinal()]++;
      items.add(new Summary.Item(one.key(), one.source(), outcome, health, 1, words));
    }
    return new Standing(
        new Summary(set.name(), counts, items, List.of(), "", new Counters(), cost, 1),
        idle,
        hasInventory);
  }

  @Override
  public long events() {
    return events;
  }

  @Override
  public boolean hasEnded() {
    return ended;
  }

  @Override
  public List<Notice> notices() {
    List<Notice> all = List.copyOf(notices);
    notices.clear();
    return all;
  }

  @Override
  public Optional<ObjectNode> find(ResourceType type, ObjectKey key) throws ApiException {
    if (silence.isPresent()) {
      throw new ApiException(silence.get());
    }
    return Optional.ofNullable(live.get(key));
  }

  @Override
  public Optional<NewDefinitions> added(List<Manifest> manifests) throws ApiException {
    counted++;
    if (silence.isPresent()) {
      throw new ApiException(silence.get());
    }
    return added;
  }

  @Override
  public void forget(ApplySet set) {
    forgotten.add(set.name());
  }

  @Override
  public void close() {
    closed = true;
  }
}
