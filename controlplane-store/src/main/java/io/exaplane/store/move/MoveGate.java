// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.move;

import io.exaplane.store.core.KeyRange;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.request.Compare;
import io.exaplane.store.core.request.DeleteRangeRequest;
import io.exaplane.store.core.request.Operation;
import io.exaplane.store.core.request.PutRequest;
import io.exaplane.store.core.request.RangeRequest;
import io.exaplane.store.core.request.Reusable;
import io.exaplane.store.core.request.Slice;
import io.exaplane.store.core.request.TxnRequest;
import io.exaplane.store.move.MoveStates.Closed;
import java.util.List;

/**
 * Refuses requests for keys that move. A read is refused if its range lies wholly below the prefix;
 * a write also if it only touches the prefix. Of a Txn, all comparisons and all branches count.
 *
 * <p>Writes are asked about by the writer, so that none comes after the state that closes the
 * prefix. Reads are asked about by whoever reads. Each method throws {@link StoreException#MOVING}
 * or {@link StoreException#MOVED}, and costs one read while there is no move. A prefix that left
 * stays, so requests are compared with it where they lie, and nothing is allocated for them.
 * Thread-safe.
 */
public final class MoveGate {
  private final MoveStates states;

  public MoveGate(MoveStates states) {
    this.states = states;
  }

  /** Lets a read pass, or throws. */
  public void pass(RangeRequest request) {
    List<Closed> closed = states.closed();
    if (!closed.isEmpty()) {
      read(closed, request.key, request.rangeEnd);
    }
  }

  /** Lets a watch of keys begin, or throws. */
  public void pass(KeyRange watched) {
    read(states.closed(), watched);
  }

  /** Lets a write of one key pass, or throws. */
  public void pass(PutRequest request) {
    passWrite(request.key);
  }

  /** Lets a write of one key pass, or throws. */
  public void passWrite(Slice key) {
    List<Closed> closed = states.closed();
    if (!closed.isEmpty()) {
      write(closed, key);
    }
  }

  /** Lets the write of one key pass that is somewhere in a range, or throws. */
  public void passWriteIn(KeyRange range) {
    for (Closed each : states.closed()) {
      if (each.keys().holds(range)) {
        throw refusal(each);
      }
    }
  }

  /** Lets a deletion pass, or throws. */
  public void pass(DeleteRangeRequest request) {
    List<Closed> closed = states.closed();
    if (!closed.isEmpty()) {
      delete(closed, request);
    }
  }

  /** Lets a Txn pass, or throws. */
  public void pass(TxnRequest request) {
    List<Closed> closed = states.closed();
    if (!closed.isEmpty()) {
      txn(closed, request);
    }
  }

  private static void txn(List<Closed> closed, TxnRequest request) {
    for (int i = 0; i < request.compares.size(); i++) {
      Compare compare = request.compares.get(i);
      read(closed, compare.key, compare.rangeEnd);
    }
    branch(closed, request.success);
    branch(closed, request.failure);
  }

  private static void branch(List<Closed> closed, Reusable<Operation> operations) {
    for (int i = 0; i < operations.size(); i++) {
      Operation operation = operations.get(i);
      switch (operation.kind) {
        case RANGE -> read(closed, operation.range.key, operation.range.rangeEnd);
        case PUT -> write(closed, operation.put.key);
        case DELETE_RANGE -> delete(closed, operation.deleteRange);
        case TXN -> txn(closed, operation.txn());
        case NONE -> {}
      }
    }
  }

  private static void read(List<Closed> closed, Slice key, Slice rangeEnd) {
    for (int i = 0; i < closed.size(); i++) {
      Closed each = closed.get(i);
      if (each.state() != Move.State.Frozen
          && (rangeEnd.isEmpty() ? each.has(key) : each.holds(key, rangeEnd))) {
        throw refusal(each);
      }
    }
  }

  private static void read(List<Closed> closed, KeyRange range) {
    for (Closed each : closed) {
      if (each.state() != Move.State.Frozen && each.keys().holds(range)) {
        throw refusal(each);
      }
    }
  }

  private static void write(List<Closed> closed, Slice key) {
    for (int i = 0; i < closed.size(); i++) {
      Closed each = closed.get(i);
      if (each.has(key)) {
        throw refusal(each);
      }
    }
  }

  private static void delete(List<Closed> closed, DeleteRangeRequest request) {
    if (request.rangeEnd.isEmpty()) {
      write(closed, request.key);
      return;
    }
    for (int i = 0; i < closed.size(); i++) {
      Closed each = closed.get(i);
      if (each.meets(request.key, request.rangeEnd)) {
        throw refusal(each);
      }
    }
  }

  private static StoreException refusal(Closed closed) {
    return closed.state() == Move.State.Left ? StoreException.MOVED : StoreException.MOVING;
  }
}
