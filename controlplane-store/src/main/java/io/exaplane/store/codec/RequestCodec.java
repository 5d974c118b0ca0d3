// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.codec;

import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.request.Compare;
import io.exaplane.store.core.request.DeleteRangeRequest;
import io.exaplane.store.core.request.Operation;
import io.exaplane.store.core.request.Operation.Kind;
import io.exaplane.store.core.request.PutRequest;
import io.exaplane.store.core.request.RangeRequest;
import io.exaplane.store.core.request.TxnRequest;

/**
 * Decodes the requests of etcdserverpb.KV into reusable objects whose slices lie in the message.
 * Unknown fields are skipped. What is no such message throws a {@link StoreException}.
 */
public final class RequestCodec {
  /**
   * Deepest nesting of a Txn, for the sake of the stack. Each level takes an operation, so that
   * with the usual limit of operations this is also etcd's bound.
   */
  private static final int MAX_DEPTH = 128;

  private RequestCodec() {}

  public static void range(ProtoReader in, RangeRequest request) {
    request.clear();
    for (int field = in.field(); field != 0; field = in.field()) {
      switch (field) {
        case 1 -> in.bytes(request.key);
        case 2 -> in.bytes(request.rangeEnd);
        case 3 -> request.limit = in.number();
        case 4 -> request.revision = in.number();
        case 5 -> request.sortOrder = (int) in.number();
        case 6 -> request.sortTarget = (int) in.number();
        case 8 -> request.keysOnly = in.flag();
        case 9 -> request.countOnly = in.flag();
        case 10 -> request.minModRevision = in.number();
        case 11 -> request.maxModRevision = in.number();
        case 12 -> request.minCreateRevision = in.number();
        case 13 -> request.maxCreateRevision = in.number();
        default -> in.skip();
      }
    }
  }

  public static void put(ProtoReader in, PutRequest request) {
    request.clear();
    for (int field = in.field(); field != 0; field = in.field()) {
      switch (field) {
        case 1 -> in.bytes(request.key);
        case 2 -> in.bytes(request.value);
        case 3 -> request.lease = in.number();
        case 4 -> request.prevKv = in.flag();
        case 5 -> request.ignoreValue = in.flag();
        case 6 -> request.ignoreLease = in.flag();
        default -> in.skip();
      }
    }
  }

  public static void deleteRange(ProtoReader in, DeleteRangeRequest request) {
    request.clear();
    for (int field = in.field(); field != 0; field = in.field()) {
      switch (field) {
        case 1 -> in.bytes(request.key);
        case 2 -> in.bytes(request.rangeEnd);
        case 3 -> request.prevKv = in.flag();
        default -> in.skip();
      }
    }
  }

  public static void txn(ProtoReader in, TxnRequest request) {
    txn(in, request, 0);
  }

  private static void txn(ProtoReader in, TxnRequest request, int depth) {
    if (depth > MAX_DEPTH) {
      throw StoreException.TOO_MANY_OPERATIONS;
    }
    request.clear();
    for (int field = in.field(); field != 0; field = in.field()) {
      switch (field) {
        case 1 -> {
          int outer = in.enter();
          compare(in, request.compares.add());
          in.leave(outer);
        }
        case 2, 3 -> {
          int outer = in.enter();
          operation(in, (field == 2 ? request.success : request.failure).add(), depth);
          in.leave(outer);
        }
        default -> in.skip();
      }
    }
  }

  private static void compare(ProtoReader in, Compare compare) {
    compare.clear();
    for (int field = in.field(); field != 0; field = in.field()) {
      switch (field) {
        case 1 -> compare.result = (int) in.number();
        case 2 -> compare.target = (int) in.number();
        case 3 -> in.bytes(compare.key);
        case 4 -> number(in, compare, Compare.VERSION);
        case 5 -> number(in, compare, Compare.CREATE);
        case 6 -> number(in, compare, Compare.MOD);
        case 7 -> {
          in.bytes(compare.value);
          compare.given = Compare.VALUE;
        }
        case 8 -> number(in, compare, Compare.LEASE);
        case 64 -> in.bytes(compare.rangeEnd);
        default -> in.skip();
      }
    }
  }

  private static void number(ProtoReader in, Compare compare, int what) {
    compare.number = in.number();
    compare.given = what;
  }

  private static void operation(ProtoReader in, Operation operation, int depth) {
    operation.clear();
    for (int field = in.field(); field != 0; field = in.field()) {
      if (field > 4) {
        in.skip();
        continue;
      }
      int outer = in.enter();
      switch (field) {
        case 1 -> {
          operation.kind = Kind.RANGE;
          range(in, operation.range);
        }
        case 2 -> {
          operation.kind = Kind.PUT;
          put(in, operation.put);
        }
        case 3 -> {
          operation.kind = Kind.DELETE_RANGE;
          deleteRange(in, operation.deleteRange);
        }
        default -> {
          operation.kind = Kind.TXN;
          txn(in, operation.txn(), depth + 1);
        }
      }
      in.leave(outer);
    }
  }
}
