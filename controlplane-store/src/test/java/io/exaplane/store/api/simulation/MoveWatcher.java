// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.simulation;

import io.exaplane.store.codec.ProtoReader;
import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.wire.GrpcListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Lists the Kind and watches it from there on, as kube-apiserver's cache does: over reconnections
 * from where it was, and after word of a compaction from a new list.
 */
final class MoveWatcher {
  private final int number;
  private final MoveConnection connection;
  private final Map<String, String> keys = new TreeMap<>();
  private Op list;
  private boolean isListed;
  private SimulatedCall call;
  private StoreException failure;
  private boolean isCompacted;
  private boolean isCanceled;
  private long seen;
  private int lists;
  private String finding;

  // What it saw since the last list, and of whom that was.
  private MoveSide listedAt;
  private long listedRevision;
  private final List<MoveSide.Change> events = new ArrayList<>();

  MoveWatcher(int number, Supplier<MoveSide> route) {
    this.number = number;
    this.connection = new MoveConnection(route);
  }

  String finding() {
    return finding;
  }

  /** What it knows of the Kind. */
  Map<String, String> keys() {
    return keys;
  }

  /** Whether it has a list and a watch that goes on. */
  boolean isWatching() {
    return isListed && call != null && failure == null && !isCompacted && !connection.isLost();
  }

  int lists() {
    return lists;
  }

  void step() {
    if (connection.isLost()) {
      list = null;
      call = null;
      connection.connect();
    }
    if (!isListed) {
      listStep();
    } else if (call == null) {
      watch();
    } else if (isCompacted) {
      isListed = false;
      call = null;
    } else if (failure != null || isCanceled) {
      if (failure != null && !connection.asksAgain(failure)) {
        finding = "watcher %d: %s".formatted(number, failure.getMessage());
      }
      call = null;
    }
  }

  private void listStep() {
    if (list == null) {
      list = new Op(Op.Kind.RANGE, List.of(MoveSide.PREFIX), MoveSide.END, "", 0, 0, 0);
      Answers answers = new Answers(list, new Requests.Known(), null);
      open("/etcdserverpb.KV/Range", answers::take, answers::failed, list.encode());
    } else if (list.error != null) {
      if (!connection.asksAgain(list.error)) {
        finding = "watcher %d: %s".formatted(number, list);
      }
      list = null;
    } else if (list.answer != null) {
      listed();
      list = null;
    }
  }

  private void listed() {
    checkEvents();
    if (list.answer.revision < seen) {
      finding =
          "watcher %d listed at %d of store %s, and had seen %d"
              .formatted(number, list.answer.revision, connection.side().name, seen);
    }
    keys.clear();
    list.answer.kvs.forEach(kv -> keys.put(kv.key(), kv.value()));
    seen = list.answer.revision;
    listedAt = connection.side();
    listedRevision = seen;
    events.clear();
    isListed = true;
    lists++;
    Map<String, String> expected = new TreeMap<>();
    listedAt.shown.stream()
        .filter(change -> change.mod() <= seen)
        .forEach(
            change -> {
              if (change.value() == null) {
                expected.remove(change.key());
              } else {
                expected.put(change.key(), change.value());
              }
            });
    if (!expected.equals(keys)) {
      finding =
          "watcher %d listed %s at %d of store %s, which had %s"
              .formatted(number, keys, seen, listedAt.name, expected);
    }
  }

  private void watch() {
    failure = null;
    isCompacted = false;
    isCanceled = false;
    ReverseWriter out = new ReverseWriter();
    out.number(3, seen + 1);
    Op.bytes(out, 2, MoveSide.END);
    Op.bytes(out, 1, MoveSide.PREFIX);
    out.message(1, 0);
    MoveSide side = connection.side();
    call =
        open(
            "/etcdserverpb.Watch/Watch",
            bytes -> response(side, bytes),
            why -> failure = why,
            out.copy());
  }

  private SimulatedCall open(
      String method,
      java.util.function.Consumer<byte[]> responses,
      java.util.function.Consumer<StoreException> failures,
      byte[] request) {
    MoveSide side = connection.side();
    int loop = number % side.store().loops();
    SimulatedCall opened = new SimulatedCall(side.store().loop(loop), responses, failures);
    GrpcListener listener = side.store().method(method).open(opened, side.store().lane(loop));
    listener.message(request, 0, request.length);
    return opened;
  }

  private void response(MoveSide side, byte[] bytes) {
    Answer.Watch response = Answer.watch(new ProtoReader().open(bytes, 0, bytes.length));
    isCompacted |= response.canceled() && response.compactRevision() > 0;
    isCanceled |= response.canceled();
    for (Answer.Event event : response.events()) {
      if (side != listedAt) {
        finding =
            "watcher %d listed at store %s and goes on at %s"
                .formatted(number, listedAt.name, side.name);
      }
      String value = event.isDelete() ? null : event.now().value();
      events.add(new MoveSide.Change(event.now().key(), value, event.now().mod()));
      if (value == null) {
        keys.remove(event.now().key());
      } else {
        keys.put(event.now().key(), value);
      }
      seen = event.now().mod();
    }
  }

  /** Every change since the list, once, in order, up to the last one that it saw. */
  void checkEvents() {
    if (listedAt == null) {
      return;
    }
    List<MoveSide.Change> expected =
        listedAt.shown.stream()
            .filter(change -> change.mod() > listedRevision && change.mod() <= seen)
            .toList();
    if (!expected.equals(events)) {
      finding =
          "watcher %d of store %s from %d on saw %s, and there were %s"
              .formatted(number, listedAt.name, listedRevision, events, expected);
    }
  }
}
