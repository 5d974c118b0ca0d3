// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.execute;

import io.exaplane.store.core.Growth;
import io.exaplane.store.core.KeyRange;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.RangeReader;
import io.exaplane.store.core.SpaceAccount;
import io.exaplane.store.core.View;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.lease.Lease;
import io.exaplane.store.core.lease.Leases;
import io.exaplane.store.core.memory.KeyValues;
import io.exaplane.store.core.memory.Records;
import io.exaplane.store.core.request.DeleteRangeRequest;
import io.exaplane.store.core.request.Operation;
import io.exaplane.store.core.request.Operation.Kind;
import io.exaplane.store.core.request.PutRequest;
import io.exaplane.store.core.request.RangeRequest;
import io.exaplane.store.core.request.RequestChecks;
import io.exaplane.store.core.request.Reusable;
import io.exaplane.store.core.request.TxnRequest;
import io.exaplane.store.core.result.OperationResult;
import io.exaplane.store.core.result.TxnResult;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.collections.LongArrayList;

/**
 * Carries out requests that may change something, each as one revision: it does all of a request or
 * throws before it has changed anything. Requests must have passed {@link RequestChecks}. Used by
 * the writer; results hold until the next change.
 */
public final class WriteExecutor {
  private static final byte[] OPEN = {0};

  /** A larger list of what was found is let go with the next one. */
  private static final int KEPT_FOUND = 1 << 14;

  private final Keyspace keyspace;
  private final Leases leases;
  private final MemorySegment memory;
  private final Comparisons comparisons;
  private final RangeExecutor ranges;
  private long rangesDone;
  private final RangeReader reader;
  private final Growth growth;
  private final LongArrayList found = new LongArrayList();
  // For each Txn, in the order in which they are met, whether its comparisons held.
  private final List<Boolean> path = new ArrayList<>();
  private int pathAt;
  private long mostLoad;
  private final List<byte[]> deletedFrom = new ArrayList<>();
  private final AnswerSize answer;
  private boolean answerMayBeLarge;

  /** One whose answers may be of any size. */
  public WriteExecutor(Keyspace keyspace, Leases leases) {
    this(keyspace, leases, AnswerRoom.ENDLESS);
  }

  /**
   * @param room asked for the memory of an answer before anything is changed
   */
  public WriteExecutor(Keyspace keyspace, Leases leases, AnswerRoom room) {
    this.keyspace = keyspace;
    this.leases = leases;
    this.memory = keyspace.memory();
    this.comparisons = new Comparisons(keyspace);
    this.ranges = new RangeExecutor(keyspace);
    this.reader = new RangeReader(keyspace);
    this.growth = keyspace.space().growth();
    this.answer = new AnswerSize(keyspace, room);
  }

  public void put(PutRequest request, OperationResult result) {
    if (keyspace.space().isAnyFullWith(mostLoad(request))) {
      growth.begin();
      growth.put(request);
      requireSpace();
    }
    checkLease(request);
    checkBefore(request);
    if (request.prevKv) {
      answer.begin();
      answer.put(request, newest(request));
      answer.take();
    }
    applyPut(request, result);
    keyspace.commit();
  }

  public void deleteRange(DeleteRangeRequest request, OperationResult result) {
    find(request);
    answer.begin();
    answer.deletions(found, request.prevKv);
    answer.take();
    deleteFound(request, result);
    keyspace.commit();
  }

  /** Carries out a Txn. What it compares is the state before it; what it reads, its own changes. */
  public void txn(TxnRequest request, TxnResult result) {
    path.clear();
    deletedFrom.clear();
    mostLoad = 0;
    decide(request);
    if (keyspace.space().isAnyFullWith(mostLoad)) {
      growth.begin();
      pathAt = 0;
      measure(request);
      requireSpace();
    }
    pathAt = 0;
    answerMayBeLarge = false;
    check(request);
    if (answerMayBeLarge) {
      answer.begin();
      pathAt = 0;
      size(request);
      answer.take();
    }
    pathAt = 0;
    apply(request, result);
    result.revision = keyspace.commit();
  }

  /** Finds which operations will be carried out, and what they can at most load. */
  private void decide(TxnRequest request) {
    boolean holds = comparisons.hold(request.compares);
    path.add(holds);
    Reusable<Operation> operations = holds ? request.success : request.failure;
    for (int i = 0; i < operations.size(); i++) {
      Operation operation = operations.get(i);
      if (operation.kind == Kind.TXN) {
        decide(operation.txn());
      } else if (operation.kind == Kind.PUT) {
        mostLoad += mostLoad(operation.put);
      }
    }
  }

  private static long mostLoad(PutRequest request) {
    return SpaceAccount.mostLoad(request.key.length(), request.value.length());
  }

  private Reusable<Operation> chosen(TxnRequest request) {
    return path.get(pathAt++) ? request.success : request.failure;
  }

  private void check(TxnRequest request) {
    Reusable<Operation> operations = chosen(request);
    for (int i = 0; i < operations.size(); i++) {
      Operation operation = operations.get(i);
      switch (operation.kind) {
        case RANGE -> {
          checkRevision(operation.range);
          answerMayBeLarge = true;
        }
        case PUT -> {
          answerMayBeLarge |= operation.put.prevKv;
          // The other way round than for a single put, as in etcd.
          checkBefore(operation.put);
          checkLease(operation.put);
          checkNotDeletedBefore(operation.put);
        }
        case TXN -> check(operation.txn());
        case DELETE_RANGE -> {
          answerMayBeLarge |=
              !operation.deleteRange.rangeEnd.isEmpty() || operation.deleteRange.prevKv;
          if (operation.deleteRange.rangeEnd.is(OPEN)) {
            deletedFrom.add(operation.deleteRange.key.copy());
          }
        }
        case NONE -> {}
      }
    }
  }

  /**
   * An open range may be deleted before a key in it is put: the one overlap that the request checks
   * let pass, as etcd does. A put that needs the key's value or lease then finds none (on which
   * etcd panics).
   */
  private void checkNotDeletedBefore(PutRequest request) {
    if (!deletedFrom.isEmpty() && (request.ignoreValue || request.ignoreLease)) {
      byte[] key = request.key.copy();
      if (deletedFrom.stream().anyMatch(from -> Arrays.compareUnsigned(from, key) <= 0)) {
        throw StoreException.KEY_NOT_FOUND;
      }
    }
  }

  /** Ranges of Txns, since the start. By the writer. */
  public long rangesDone() {
    return rangesDone;
  }

  private void checkRevision(RangeRequest request) {
    if (request.revision == 0) {
      return;
    }
    if (request.revision > keyspace.revision()) {
      throw StoreException.FUTURE_REVISION;
    }
    if (keyspace.isCompacted(request)) {
      throw StoreException.COMPACTED;
    }
  }

  private void checkBefore(PutRequest request) {
    if ((request.ignoreValue || request.ignoreLease) && newest(request) == 0) {
      throw StoreException.KEY_NOT_FOUND;
    }
  }

  /** Finds what the operations that will be carried out add to a store that is full. */
  private void measure(TxnRequest request) {
    Reusable<Operation> operations = chosen(request);
    for (int i = 0; i < operations.size(); i++) {
      Operation operation = operations.get(i);
      switch (operation.kind) {
        case PUT -> growth.put(operation.put);
        case DELETE_RANGE -> {
          find(operation.deleteRange);
          for (int at = 0; at < found.size(); at++) {
            growth.delete(found.getLong(at));
          }
        }
        case TXN -> measure(operation.txn());
        case RANGE, NONE -> {}
      }
    }
  }

  /** Finds how large the answer of the operations will be that will be carried out. */
  private void size(TxnRequest request) {
    Reusable<Operation> operations = chosen(request);
    for (int i = 0; i < operations.size(); i++) {
      Operation operation = operations.get(i);
      switch (operation.kind) {
        case RANGE -> answer.range(operation.range);
        case PUT -> answer.put(operation.put, newest(operation.put));
        case DELETE_RANGE -> {
          find(operation.deleteRange);
          answer.deletions(found, operation.deleteRange.prevKv);
        }
        case TXN -> size(operation.txn());
        case NONE -> {}
      }
    }
  }

  private void requireSpace() {
    if (!growth.fits()) {
      throw StoreException.NO_SPACE;
    }
  }

  private void checkLease(PutRequest request) {
    if (request.lease != 0) {
      leases.require(request.lease);
    }
  }

  private long newest(PutRequest request) {
    return keyspace.newest(request.key.array(), request.key.offset(), request.key.length());
  }

  private void apply(TxnRequest request, TxnResult result) {
    result.clear();
    result.succeeded = path.get(pathAt);
    Reusable<Operation> operations = chosen(request);
    for (int i = 0; i < operations.size(); i++) {
      Operation operation = operations.get(i);
      OperationResult response = result.responses.add();
      response.clear(operation.kind);
      switch (operation.kind) {
        case RANGE -> {
          rangesDone++;
          ranges.execute(keyspace.working(), operation.range, response.range);
        }
        case PUT -> applyPut(operation.put, response);
        case DELETE_RANGE -> applyDelete(operation.deleteRange, response);
        case TXN -> apply(operation.txn(), response.txn());
        case NONE -> throw new IllegalStateException("an empty operation passed the checks");
      }
    }
  }

  private void applyPut(PutRequest request, OperationResult result) {
    result.clear(Kind.PUT);
    boolean looksBack = request.prevKv || request.ignoreValue || request.ignoreLease;
    long before = looksBack ? newest(request) : 0;
    byte[] value = request.value.array();
    int offset = request.value.offset();
    int length = request.value.length();
    if (request.ignoreValue) {
      value = KeyValues.copyValue(memory, before);
      offset = 0;
      length = value.length;
    }
    keyspace.put(
        request.key.array(),
        request.key.offset(),
        request.key.length(),
        value,
        offset,
        length,
        request.ignoreLease ? KeyValues.lease(memory, before) : request.lease);
    if (request.prevKv && before != 0) {
      result.previous.addLong(before);
    }
    result.revision = keyspace.readRevision();
  }

  private void applyDelete(DeleteRangeRequest request, OperationResult result) {
    find(request);
    deleteFound(request, result);
  }

  private void deleteFound(DeleteRangeRequest request, OperationResult result) {
    result.clear(Kind.DELETE_RANGE);
    for (int i = 0; i < found.size(); i++) {
      keyspace.delete(found.getLong(i));
      if (request.prevKv) {
        result.previous.addLong(found.getLong(i));
      }
    }
    result.deleted = found.size();
    result.revision = keyspace.readRevision();
  }

  /** Finds what a request deletes. */
  private void find(DeleteRangeRequest request) {
    KeyRange range = request.range();
    if (found.size() > KEPT_FOUND) {
      found.clear();
      found.trimToSize();
    }
    found.clear();
    if (!range.isEmpty()) {
      View view = keyspace.working();
      reader.open(view, range, view.revision());
      for (long record = reader.next(); record != 0; record = reader.next()) {
        found.addLong(record);
      }
      reader.close();
    }
  }

  /** Ends a lease: all of its keys are deleted, in order, at one revision. */
  public void revoke(Lease lease) {
    found.clear();
    for (int slot : lease.slotArray()) {
      found.addLong(keyspace.newestOfSlot(slot));
    }
    long[] ordered =
        StepwiseSort.sort(found.toLongArray(), (a, b) -> Records.compareKeys(memory, a, b));
    for (long record : ordered) {
      keyspace.delete(record);
    }
    leases.remove(lease);
    keyspace.commit();
  }
}
