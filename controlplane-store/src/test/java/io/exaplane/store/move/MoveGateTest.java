// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.move;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.exaplane.store.core.KeyRange;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.request.Compare;
import io.exaplane.store.core.request.DeleteRangeRequest;
import io.exaplane.store.core.request.Operation;
import io.exaplane.store.core.request.PutRequest;
import io.exaplane.store.core.request.RangeRequest;
import io.exaplane.store.core.request.Slice;
import io.exaplane.store.core.request.TxnRequest;
import io.exaplane.store.move.Move.State;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which requests pass: every kind, in every state, for keys in every place about the prefix. */
class MoveGateTest {
  private static final String PREFIX = "/b/";

  /** Keys as a request names them, and how they lie. */
  private enum Place {
    AT("/b/", "", true, true),
    BELOW("/b/1", "", true, true),
    WHOLE("/b/", "/b0", true, true),
    PART("/b/1", "/b/5", true, true),
    WIDER("/", "0", false, true),
    ALL("\0", "\0", false, true),
    FROM_BEFORE("/a/", "/b/5", false, true),
    TO_BEHIND("/b/5", "/c", false, true),
    OPEN("/b/5", "\0", false, true),
    BACKWARDS("/b/5", "/b/1", true, false),
    BEFORE("/b", "", false, false),
    UP_TO("/a/", "/b/", false, false),
    BEHIND("/b0", "/c", false, false);

    final String key;
    final String end;
    final boolean isBelow;
    final boolean touches;

    Place(String key, String end, boolean isBelow, boolean touches) {
      this.key = key;
      this.end = end;
      this.isBelow = isBelow;
      this.touches = touches;
    }

    void fill(Slice key, Slice end) {
      key.set(bytes(this.key));
      end.set(bytes(this.end));
    }

    KeyRange range() {
      return KeyRange.of(bytes(key), bytes(end));
    }
  }

  private interface Way {
    void ask(MoveGate gate, Place place);
  }

  private enum Request {
    RANGE(false, (gate, place) -> gate.pass(range(new RangeRequest(), place))),
    WATCH(false, (gate, place) -> gate.pass(place.range())),
    DELETE(true, (gate, place) -> gate.pass(delete(new DeleteRangeRequest(), place))),
    COMPARE(
        false,
        (gate, place) -> {
          TxnRequest txn = new TxnRequest();
          compare(txn, place);
          gate.pass(txn);
        }),
    COMPARE_NESTED(
        false,
        (gate, place) -> {
          TxnRequest txn = new TxnRequest();
          compare(nested(nested(txn, true), false), place);
          gate.pass(txn);
        }),
    RANGE_IF(
        false,
        (gate, place) -> {
          TxnRequest txn = new TxnRequest();
          Operation operation = operation(txn, true, Operation.Kind.RANGE);
          range(operation.range, place);
          gate.pass(txn);
        }),
    RANGE_NESTED(
        false,
        (gate, place) -> {
          TxnRequest txn = new TxnRequest();
          Operation operation = operation(nested(txn, false), false, Operation.Kind.RANGE);
          range(operation.range, place);
          gate.pass(txn);
        }),
    DELETE_ELSE(
        true,
        (gate, place) -> {
          TxnRequest txn = new TxnRequest();
          operation(txn, true, Operation.Kind.RANGE).range.key.set(bytes("/z"));
          delete(operation(txn, false, Operation.Kind.DELETE_RANGE).deleteRange, place);
          gate.pass(txn);
        }),
    DELETE_NESTED(
        true,
        (gate, place) -> {
          TxnRequest txn = new TxnRequest();
          TxnRequest inner = nested(nested(txn, false), true);
          delete(operation(inner, false, Operation.Kind.DELETE_RANGE).deleteRange, place);
          gate.pass(txn);
        });

    final boolean isWrite;
    final Way way;

    Request(boolean isWrite, Way way) {
      this.isWrite = isWrite;
      this.way = way;
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static RangeRequest range(RangeRequest request, Place place) {
    place.fill(request.key, request.rangeEnd);
    return request;
  }

  private static DeleteRangeRequest delete(DeleteRangeRequest request, Place place) {
    place.fill(request.key, request.rangeEnd);
    return request;
  }

  private static void compare(TxnRequest txn, Place place) {
    Compare compare = txn.compares.add();
    place.fill(compare.key, compare.rangeEnd);
  }

  private static Operation operation(TxnRequest txn, boolean success, Operation.Kind kind) {
    Operation operation = (success ? txn.success : txn.failure).add();
    operation.kind = kind;
    return operation;
  }

  private static TxnRequest nested(TxnRequest txn, boolean success) {
    return operation(txn, success, Operation.Kind.TXN).txn();
  }

  private static MoveGate gate(State state) throws Exception {
    MoveStates states = MoveStates.inMemory();
    if (state != null) {
      states.set(PREFIX, Optional.of(new Move(PREFIX, "id", state, 7)));
    }
    return new MoveGate(states);
  }

  private static StoreException refusal(Runnable asking) {
    try {
      asking.run();
      return null;
    } catch (StoreException refused) {
      return refused;
    }
  }

  private static StoreException expected(State state, boolean isWrite, Place place) {
    boolean isServed = state == null || state == State.Arrived;
    boolean meets = isWrite ? place.touches : place.isBelow && state != State.Frozen;
    if (isServed || !meets) {
      return null;
    }
    return state == State.Left ? StoreException.MOVED : StoreException.MOVING;
  }

  private static State[] states() {
    return new State[] {null, State.Arriving, State.Arrived, State.Frozen, State.Left};
  }

  @Test
  void everyRequestMeetsTheStatesOfItsKeys() throws Exception {
    for (State state : states()) {
      MoveGate gate = gate(state);
      for (Place place : Place.values()) {
        for (Request request : Request.values()) {
          assertThat(refusal(() -> request.way.ask(gate, place)))
              .as("%s of %s while %s", request, place, state)
              .isSameAs(expected(state, request.isWrite, place));
        }
      }
    }
  }

  @Test
  void writesOfOneKeyMeetThem() throws Exception {
    for (State state : states()) {
      MoveGate gate = gate(state);
      for (Place place : Place.values()) {
        if (!place.end.isEmpty()) {
          continue;
        }
        StoreException expected = expected(state, true, place);
        PutRequest put = new PutRequest();
        put.key.set(bytes(place.key));
        assertThat(refusal(() -> gate.pass(put))).as("%s %s", place, state).isSameAs(expected);
        assertThat(refusal(() -> gate.passWrite(put.key))).isSameAs(expected);
        TxnRequest txn = new TxnRequest();
        operation(nested(txn, true), true, Operation.Kind.PUT).put.key.set(bytes(place.key));
        assertThat(refusal(() -> gate.pass(txn))).as("%s %s", place, state).isSameAs(expected);
      }
    }
  }

  @Test
  void aLockBelowThePrefixIsAWrite() throws Exception {
    for (State state : states()) {
      MoveGate gate = gate(state);
      assertThat(refusal(() -> gate.passWriteIn(KeyRange.ofPrefix(bytes("/b/lock/")))))
          .isSameAs(expected(state, true, Place.BELOW));
      assertThat(refusal(() -> gate.passWriteIn(KeyRange.ofPrefix(bytes("/"))))).isNull();
    }
  }

  /** A prefix that left stays for good, and each write of other Kinds is asked about. */
  @Test
  void requestsOfOtherKindsAllocateNothing() throws Exception {
    MoveStates states = MoveStates.inMemory();
    for (String prefix : new String[] {PREFIX, "/d/", "/e/"}) {
      states.set(prefix, Optional.of(new Move(prefix, "id", State.Left, 7)));
    }
    MoveGate gate = new MoveGate(states);
    PutRequest put = new PutRequest();
    put.key.set(bytes("/c/1"));
    DeleteRangeRequest delete = delete(new DeleteRangeRequest(), Place.BEHIND);
    RangeRequest range = range(new RangeRequest(), Place.UP_TO);
    TxnRequest txn = new TxnRequest();
    compare(txn, Place.BEFORE);
    compare(txn, Place.UP_TO);
    range(operation(txn, true, Operation.Kind.RANGE).range, Place.BEHIND);
    delete(operation(txn, false, Operation.Kind.DELETE_RANGE).deleteRange, Place.UP_TO);
    operation(nested(txn, true), true, Operation.Kind.PUT).put.key.set(bytes("/c/1"));
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 5; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 1_000; i++) {
        gate.pass(put);
        gate.pass(delete);
        gate.pass(range);
        gate.pass(txn);
      }
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    assertThat(least).as("bytes of 4,000 requests").isLessThan(4_000);
  }

  @Test
  void theTextIsTheOneAfterWhichEtcdsClientRepeatsWrites() {
    for (StoreException each : new StoreException[] {StoreException.MOVING, StoreException.MOVED}) {
      assertThat(each.code()).isEqualTo(StoreException.Code.UNAVAILABLE);
      assertThat(each).hasMessage("there is no address available");
    }
  }
}
