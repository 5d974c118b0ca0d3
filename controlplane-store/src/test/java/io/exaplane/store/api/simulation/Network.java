// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.simulation;

import io.exaplane.store.api.SimulatedStore;
import io.exaplane.store.codec.ProtoReader;
import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.wire.GrpcListener;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongSupplier;

/** One call of Watch/Watch, and what the network does to its responses. */
final class Network {
  private static final int FAULT_RATE = 12;

  final SimulatedCall call;
  private final GrpcListener listener;
  private final Map<Long, Follower> followers = new HashMap<>();
  private final Random random;
  private final Fault fault;
  private final Runnable seenMore;
  private final LongSupplier clockMs;
  long newest;

  /**
   * @param fault what goes wrong, or null
   * @param seenMore told after each response
   */
  Network(
      SimulatedStore store,
      int loop,
      Random random,
      Fault fault,
      Runnable seenMore,
      LongSupplier clockMs) {
    this.clockMs = clockMs;
    this.random = random;
    this.fault = fault;
    this.seenMore = seenMore;
    this.call = new SimulatedCall(store.loop(loop), this::response, e -> {});
    this.listener = store.method("/etcdserverpb.Watch/Watch").open(call, store.lane(loop));
  }

  List<Follower> followers() {
    return List.copyOf(followers.values());
  }

  void watch(Follower follower) {
    followers.put(follower.id, follower);
    ReverseWriter out = new ReverseWriter();
    out.flag(8, follower.fragment);
    out.number(7, follower.id);
    out.flag(6, follower.prevKv);
    out.flag(4, true);
    out.number(3, follower.resumeFrom());
    if (!follower.end.isEmpty()) {
      Op.bytes(out, 2, follower.end);
    }
    Op.bytes(out, 1, follower.start);
    out.message(1, 0);
    listener.message(out.array(), out.start(), out.length());
  }

  void askForProgress() {
    ReverseWriter out = new ReverseWriter();
    out.message(3, 0);
    listener.message(out.array(), out.start(), out.length());
  }

  void cancel(Follower follower) {
    ReverseWriter out = new ReverseWriter();
    out.number(1, follower.id);
    out.message(2, 0);
    listener.message(out.array(), out.start(), out.length());
  }

  void writable(boolean writable) {
    call.writable = writable;
    if (writable) {
      listener.writable();
    }
  }

  private void response(byte[] bytes) {
    Answer.Watch response = Answer.watch(new ProtoReader().open(bytes, 0, bytes.length));
    for (Answer.Watch each : distorted(response)) {
      for (Follower follower : followers()) {
        if (each.id() == -1 || each.id() == follower.id) {
          follower.take(each, clockMs.getAsLong());
          newest = Math.max(newest, each.created() ? 0 : each.revision());
        }
      }
    }
    followers.values().removeIf(follower -> follower.ended);
    seenMore.run();
  }

  private List<Answer.Watch> distorted(Answer.Watch response) {
    List<Answer.Event> events = new ArrayList<>(response.events());
    if (fault == null || events.isEmpty() || random.nextInt(FAULT_RATE) > 0) {
      return List.of(response);
    }
    int at = random.nextInt(events.size());
    switch (fault) {
      case DROPPED_EVENT -> events.remove(at);
      case DUPLICATED_EVENT -> events.add(at, events.get(at));
      case SWAPPED_EVENTS -> Collections.swap(events, 0, events.size() - 1);
      case MISSING_PREV_KV ->
          events.set(at, new Answer.Event(events.get(at).isDelete(), events.get(at).now(), null));
      case EARLY_PROGRESS -> {
        return List.of(with(response, List.of()), response);
      }
      case SPLIT_TXN -> {
        for (int i = 1; i < events.size(); i++) {
          if (events.get(i).now().mod() == events.get(i - 1).now().mod()) {
            return List.of(
                with(response, events.subList(0, i)),
                with(response, events.subList(i, events.size())));
          }
        }
      }
      default -> {}
    }
    return events.isEmpty() ? List.of() : List.of(with(response, events));
  }

  private static Answer.Watch with(Answer.Watch response, List<Answer.Event> events) {
    return new Answer.Watch(
        response.revision(), response.id(), false, false, 0, response.fragment(), events);
  }
}
