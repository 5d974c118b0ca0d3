// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.apply.entry.Observe;
import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.inventory.Inventory;
import io.exaplane.apply.inventory.InventoryFormat;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.port.ApiException;
import io.exaplane.apply.port.ApiPort;
import io.exaplane.apply.port.ApplyRequest;
import io.exaplane.apply.port.Content;
import io.exaplane.apply.port.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Carries out actions by a port, and says how that ended. Stateless; any thread; blocks. */
final class Requests {
  /** Lists and watches concern members of sets only. */
  static final String MEMBERS = Observe.PART_OF;

  private final ApiPort api;
  private final String manager;
  private final LongSupplier clockMs;

  Requests(ApiPort api, String manager, LongSupplier clockMs) {
    this.api = api;
    this.manager = manager;
    this.clockMs = clockMs;
  }

  private interface Call {
    Event run() throws ApiException, InterruptedException;
  }

  private interface Otherwise {
    Event event(Failure failure);
  }

  /** Carries out one action; all events go to the sink, the last one being the answer. */
  void carryOut(Action action, Consumer<Event> sink) throws InterruptedException {
    switch (action) {
      case Action.Discover one ->
          answer(sink, () -> new Event.Discovered(api.discover()), Event.NotDiscovered::new);
      case Action.Load one ->
          answer(
              sink,
              () -> new Event.Loaded(one.source(), load(one)),
              failure -> new Event.NotLoaded(one.source(), failure));
      case Action.Save one ->
          answer(sink, () -> save(one), failure -> new Event.Saved(one.source(), failure));
      case Action.Page one ->
          answer(
              sink,
              () ->
                  new Event.Listed(
                      one.groupKind(),
                      one.number(),
                      api.list(one.type(), one.content(), MEMBERS, one.limit(), one.next())),
              failure -> new Event.NotListed(one.groupKind(), one.number(), failure));
      case Action.Watch one ->
          answer(
              sink,
              () -> watch(one, sink),
              failure -> new Event.WatchEnded(one.groupKind(), one.number(), failure));
      case Action.Apply one ->
          answer(
              sink,
              () -> apply(one),
              failure -> new Event.NotApplied(one.key(), one.ticket(), failure));
      case Action.Delete one ->
          answer(
              sink,
              () -> {
                api.delete(one.request());
                return new Event.Deleted(one.request().key(), one.ticket(), null);
              },
              failure -> new Event.Deleted(one.request().key(), one.ticket(), failure));
      case Action.Look any -> {
        long from = clockMs.getAsLong();
        answer(
            sink,
            () -> new Event.Looked(api.load(), clockMs.getAsLong() - from),
            Event.NotLooked::new);
      }
      case Action.Tell one -> throw new IllegalArgumentException("notices are not for the server");
    }
  }

  private static void answer(Consumer<Event> sink, Call call, Otherwise otherwise)
      throws InterruptedException {
    Event event;
    try {
      event = call.run();
    } catch (ApiException e) {
      event = otherwise.event(e.failure());
    } catch (IllegalArgumentException e) {
      event = otherwise.event(new Failure(422, "Invalid", e.getMessage(), 0, false, List.of()));
    } catch (RuntimeException e) {
      // Whatever broke: the request may have been sent.
      event = otherwise.event(new Failure(0, "", String.valueOf(e), 0, true, List.of()));
    }
    sink.accept(event);
  }

  private Event watch(Action.Watch one, Consumer<Event> sink)
      throws ApiException, InterruptedException {
    api.watch(
        one.type(),
        one.content(),
        MEMBERS,
        one.resourceVersion(),
        event -> sink.accept(new Event.Watched(one.groupKind(), one.number(), event)));
    return new Event.WatchEnded(one.groupKind(), one.number(), null);
  }

  private Event apply(Action.Apply one) throws ApiException, InterruptedException {
    long from = clockMs.getAsLong();
    ApplyRequest request =
        new ApplyRequest(
            one.type(),
            one.key(),
            one.set().member(one.manifest()),
            manager,
            one.force(),
            one.content(),
            one.manifest().ignored());
    return new Event.Applied(
        one.key(), one.ticket(), api.apply(request), clockMs.getAsLong() - from);
  }

  private Inventory load(Action.Load one) throws ApiException, InterruptedException {
    List<JsonNode> shards = new ArrayList<>();
    ObjectNode parent = shard(one, 0);
    String refusal = InventoryFormat.refusal(one.set(), parent);
    if (!refusal.isEmpty()) {
      throw new ApiException(new Failure(409, Failure.TAKEN, refusal, 0, false, List.of()));
    }
    shards.add(parent);
    int count = parent == null ? 1 : InventoryFormat.shards(parent);
    for (int at = 1; at < count; at++) {
      shards.add(shard(one, at));
    }
    return InventoryFormat.read(one.set(), shards);
  }

  private ObjectNode shard(Action.Load one, int at) throws ApiException, InterruptedException {
    return api.get(InventoryFormat.TYPE, InventoryFormat.key(one.set(), at)).orElse(null);
  }

  /** A source 'shop' that grows would take the ConfigMap 'shop-1' of somebody else. */
  private void requireOwn(ApplySet set, ObjectKey shard) throws ApiException, InterruptedException {
    if (shard.equals(InventoryFormat.key(set, 0))) {
      return;
    }
    Optional<ObjectNode> there = api.get(InventoryFormat.TYPE, shard);
    if (there.isPresent() && !InventoryFormat.isShard(set, there.get())) {
      throw new ApiException(
          new Failure(
              409,
              Failure.TAKEN,
              "%s exists, and is no part of the inventory of source %s; delete or rename it, or choose another name for the source"
                  .formatted(shard, set.name()),
              0,
              false,
              List.of()));
    }
  }

  private Event save(Action.Save one) throws ApiException, InterruptedException {
    for (Manifest shard : InventoryFormat.write(one.set(), one.save())) {
      requireOwn(one.set(), shard.key());
      api.apply(
          new ApplyRequest(
              InventoryFormat.TYPE, shard.key(), shard.body(), manager, true, Content.METADATA));
    }
    return new Event.Saved(one.source(), null);
  }
}
