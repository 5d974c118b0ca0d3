// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.execute;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.exaplane.store.core.request.Compare;
import io.exaplane.store.core.request.DeleteRangeRequest;
import io.exaplane.store.core.request.Operation;
import io.exaplane.store.core.request.Operation.Kind;
import io.exaplane.store.core.request.PutRequest;
import io.exaplane.store.core.request.RangeRequest;
import io.exaplane.store.core.request.Reusable;
import io.exaplane.store.core.request.Slice;
import io.exaplane.store.core.request.TxnRequest;
import java.util.Random;

/** Requests on few keys, so that they meet. */
public final class RandomRequests {
  private final Random random;
  private final int keys;

  public RandomRequests(Random random, int keys) {
    this.random = random;
    this.keys = keys;
  }

  private String key() {
    int number = random.nextInt(keys);
    return "/" + "abc".charAt(number % 3) + "/" + number;
  }

  private static void set(Slice slice, String text) {
    // Not at the array's start, as in a message.
    byte[] bytes = ("x" + text + "y").getBytes(ISO_8859_1);
    slice.set(bytes, 1, bytes.length - 2);
  }

  private void rangeEnd(Slice slice) {
    switch (random.nextInt(8)) {
      case 0 -> set(slice, key());
      case 1 -> set(slice, "\0");
      case 2 -> set(slice, "/b0");
      case 3 -> set(slice, "/\u00ff");
      default -> slice.clear();
    }
  }

  private boolean rarely() {
    return random.nextInt(8) == 0;
  }

  public void range(RangeRequest request, long revision) {
    request.clear();
    set(request.key, key());
    rangeEnd(request.rangeEnd);
    request.limit = rarely() ? random.nextInt(5) : 0;
    request.revision =
        switch (random.nextInt(4)) {
          case 0 -> Math.max(0, revision - random.nextInt(20));
          case 1 -> rarely() ? revision + random.nextInt(3) : 0;
          default -> 0;
        };
    request.sortOrder = rarely() ? random.nextInt(3) : 0;
    request.sortTarget = rarely() ? random.nextInt(5) : 0;
    request.keysOnly = rarely();
    request.countOnly = rarely();
    request.minModRevision = rarely() ? near(revision) : 0;
    request.maxModRevision = rarely() ? near(revision) : 0;
    request.minCreateRevision = rarely() ? near(revision) : 0;
    request.maxCreateRevision = rarely() ? near(revision) : 0;
  }

  private long near(long revision) {
    return Math.max(0, revision - random.nextInt(40));
  }

  public void put(PutRequest request) {
    request.clear();
    set(request.key, key());
    set(request.value, "v".repeat(random.nextInt(4)) + (char) ('a' + random.nextInt(4)));
    request.lease = rarely() ? random.nextInt(1, 5) : 0;
    request.prevKv = rarely();
    if (rarely()) {
      request.ignoreValue = true;
      request.value.clear();
    } else if (rarely()) {
      request.ignoreLease = true;
      request.lease = 0;
    } else if (rarely()) {
      request.value.clear();
    }
  }

  public void deleteRange(DeleteRangeRequest request) {
    request.clear();
    set(request.key, key());
    rangeEnd(request.rangeEnd);
    request.prevKv = random.nextBoolean();
  }

  public void txn(TxnRequest request, long revision, int depth) {
    request.clear();
    for (int i = random.nextInt(3); i > 0; i--) {
      compare(request.compares.add(), revision);
    }
    operations(request.success, revision, depth);
    operations(request.failure, revision, depth);
  }

  private void operations(Reusable<Operation> operations, long revision, int depth) {
    for (int i = random.nextInt(4); i > 0; i--) {
      Operation operation = operations.add();
      operation.clear();
      operation.kind =
          switch (random.nextInt(8)) {
            case 0, 1, 2 -> Kind.PUT;
            case 3, 4 -> Kind.RANGE;
            case 5 -> Kind.DELETE_RANGE;
            default -> depth > 0 ? Kind.TXN : Kind.PUT;
          };
      switch (operation.kind) {
        case PUT -> put(operation.put);
        case RANGE -> range(operation.range, revision);
        case DELETE_RANGE -> deleteRange(operation.deleteRange);
        default -> txn(operation.txn(), revision, depth - 1);
      }
    }
  }

  private void compare(Compare compare, long revision) {
    compare.clear();
    set(compare.key, key());
    if (rarely()) {
      rangeEnd(compare.rangeEnd);
    }
    compare.result = random.nextInt(4);
    compare.target = random.nextInt(5);
    compare.given = rarely() ? random.nextInt(5) : compare.target;
    compare.number =
        switch (compare.target) {
          case Compare.CREATE, Compare.MOD -> random.nextBoolean() ? 0 : near(revision);
          default -> random.nextInt(4);
        };
    set(compare.value, "v".repeat(random.nextInt(3)) + "a");
  }
}
