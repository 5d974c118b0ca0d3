// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.request;

import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.request.Operation.Kind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What can be said against a request before anything is looked up: etcd's checks, in etcd's order
 * (server/etcdserver/api/v3rpc/key.go). Each throws a {@link StoreException}. Pure.
 */
public final class RequestChecks {
  private RequestChecks() {}

  public static void check(RangeRequest request) {
    if (request.key.isEmpty()) {
      throw StoreException.EMPTY_KEY;
    }
    if (request.sortOrder < 0
        || request.sortOrder > RangeRequest.ORDER_DESCEND
        || request.sortTarget < 0
        || request.sortTarget > RangeRequest.TARGET_VALUE) {
      throw StoreException.INVALID_SORT;
    }
  }

  /** What {@link #check(RangeRequest)} checks, and what a streamed answer can't have. */
  public static void checkStream(RangeRequest request) {
    check(request);
    if (request.sortOrder != RangeRequest.ORDER_NONE
        && (request.sortTarget != RangeRequest.TARGET_KEY
            || request.sortOrder != RangeRequest.ORDER_ASCEND)) {
      throw StoreException.STREAM_SORT;
    }
    if (request.hasRevisionFilter()) {
      throw StoreException.STREAM_FILTER;
    }
  }

  public static void check(PutRequest request) {
    if (request.key.isEmpty()) {
      throw StoreException.EMPTY_KEY;
    }
    if (request.ignoreValue && !request.value.isEmpty()) {
      throw StoreException.VALUE_PROVIDED;
    }
    if (request.ignoreLease && request.lease != 0) {
      throw StoreException.LEASE_PROVIDED;
    }
  }

  public static void check(DeleteRangeRequest request) {
    if (request.key.isEmpty()) {
      throw StoreException.EMPTY_KEY;
    }
  }

  /**
   * Checks a Txn with all that is nested in it.
   *
   * @param maxOperations how many comparisons or operations each of its lists may have
   */
  public static void check(TxnRequest request, int maxOperations) {
    checkParts(request, maxOperations);
    if (canTouchTwice(request.success)) {
      Touched.by(request.success);
    }
    if (canTouchTwice(request.failure)) {
      Touched.by(request.failure);
    }
  }

  private static boolean canTouchTwice(Reusable<Operation> operations) {
    return operations.size() > 1 || (operations.size() == 1 && operations.get(0).kind == Kind.TXN);
  }

  private static void checkParts(TxnRequest request, int maxOperations) {
    int largest =
        Math.max(request.compares.size(), Math.max(request.success.size(), request.failure.size()));
    if (largest > maxOperations) {
      throw StoreException.TOO_MANY_OPERATIONS;
    }
    for (int i = 0; i < request.compares.size(); i++) {
      if (request.compares.get(i).key.isEmpty()) {
        throw StoreException.EMPTY_KEY;
      }
    }
    checkOperations(request.success, maxOperations - largest);
    checkOperations(request.failure, maxOperations - largest);
  }

  private static void checkOperations(Reusable<Operation> operations, int maxNested) {
    for (int i = 0; i < operations.size(); i++) {
      Operation operation = operations.get(i);
      switch (operation.kind) {
        case RANGE -> check(operation.range);
        case PUT -> check(operation.put);
        case DELETE_RANGE -> check(operation.deleteRange);
        case TXN -> checkParts(operation.txn(), maxNested);
        case NONE -> throw StoreException.KEY_NOT_FOUND;
      }
    }
  }

  /**
   * The keys that a list of operations puts and the ranges that it deletes, found to touch no key
   * twice. As etcd has it: the two branches of a nested Txn exclude each other, so both may put a
   * key; an open range ends below every key.
   */
  private record Touched(Set<ByteBuffer> puts, List<DeletedRange> deletes) {
    private record DeletedRange(byte[] start, byte[] end) {
      boolean has(byte[] key) {
        return end.length == 0
            ? Arrays.equals(start, key)
            : Arrays.compareUnsigned(key, start) >= 0 && Arrays.compareUnsigned(key, end) < 0;
      }
    }

    static Touched by(Reusable<Operation> operations) {
      Touched touched = new Touched(new HashSet<>(), new ArrayList<>());
      for (int i = 0; i < operations.size(); i++) {
        if (operations.get(i).kind == Kind.DELETE_RANGE) {
          DeleteRangeRequest delete = operations.get(i).deleteRange;
          touched.deletes.add(new DeletedRange(delete.key.copy(), delete.rangeEnd.copy()));
        }
      }
      for (int i = 0; i < operations.size(); i++) {
        if (operations.get(i).kind == Kind.TXN) {
          touched.addNested(operations.get(i).txn());
        }
      }
      for (int i = 0; i < operations.size(); i++) {
        if (operations.get(i).kind == Kind.PUT) {
          touched.put(ByteBuffer.wrap(operations.get(i).put.key.copy()), Set.of());
        }
      }
      return touched;
    }

    private void addNested(TxnRequest txn) {
      Touched then = by(txn.success);
      Touched otherwise = by(txn.failure);
      then.puts.forEach(key -> put(key, Set.of()));
      otherwise.puts.forEach(key -> put(key, then.puts));
      deletes.addAll(then.deletes);
      deletes.addAll(otherwise.deletes);
    }

    private void put(ByteBuffer key, Set<ByteBuffer> excluded) {
      boolean twice = !puts.add(key) && !excluded.contains(key);
      if (twice || deletes.stream().anyMatch(range -> range.has(key.array()))) {
        throw StoreException.DUPLICATE_KEY;
      }
    }
  }
}
