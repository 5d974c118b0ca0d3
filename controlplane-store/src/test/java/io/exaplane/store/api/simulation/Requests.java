// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;

/** Random requests; each value is written once, so that what is read tells who wrote it. */
final class Requests {
  private static final int KEYS = 9;
  private static final long FIRST_LEASE = 100;

  /** What clients know of the store. */
  static final class Known {
    /** The newest revision that any of them was told. */
    long newest;

    long nowMs;

    /** Up to where the watch of everything has seen. */
    long shown;

    final Map<String, Long> modRevisions = new HashMap<>();
    final List<Long> leases = new ArrayList<>();
    Answer oldList;

    void begin(long revision) {
      newest = Math.max(newest, revision);
      shown = revision;
      modRevisions.clear();
    }

    void answered(Op op) {
      newest = Math.max(newest, op.answer.revision);
      for (Kv kv : op.answer.kvs) {
        modRevisions.put(kv.key(), kv.mod());
      }
      boolean wrote = op.kind == Op.Kind.PUT || op.answer.succeeded && op.kind != Op.Kind.MULTI;
      if (wrote) {
        modRevisions.put(op.key(), op.answer.revision);
      }
    }
  }

  private final Random random;
  private int values;
  private int grants;

  Requests(Random random) {
    this.random = random;
  }

  private String key() {
    int number = random.nextInt(KEYS);
    return "/" + "abc".charAt(number % 3) + "/" + number;
  }

  private String value() {
    return "v" + values++ + "x".repeat(random.nextInt(60));
  }

  private long lease(Known known) {
    boolean none = known.leases.isEmpty() || random.nextInt(3) > 0;
    int newest = known.leases.size() - 1;
    return none ? 0 : known.leases.get(Math.max(0, newest - random.nextInt(3)));
  }

  Op next(Known known) {
    return switch (random.nextInt(30)) {
      case 0, 1, 2, 3, 4 -> op(Op.Kind.PUT, key(), "", value(), lease(known), 0, 0);
      case 5, 6, 7 -> op(Op.Kind.CREATE, key(), "", value(), lease(known), 0, 0);
      case 8, 9, 10, 11, 12 -> update(known);
      case 13, 14 -> op(Op.Kind.DELETE, key(), "", "", 0, 0, 0);
      case 15 -> op(Op.Kind.DELETE, key(), "/c", "", 0, 0, 0);
      case 16, 17, 18 -> multi(known);
      case 19, 20, 21 -> op(Op.Kind.RANGE, key(), "", "", 0, 0, 0);
      case 22, 23 -> op(Op.Kind.RANGE, "\0", "\0", "", 0, 0, 0);
      case 24 -> op(Op.Kind.RANGE, key(), "\0", "", 0, past(known), random.nextInt(4));
      case 25 -> op(Op.Kind.STREAM, "\0", "\0", "", 0, past(known), 0);
      case 26 ->
          op(Op.Kind.COMPACT, "", "", "", 0, Math.max(1, known.shown - random.nextInt(30)), 0);
      case 27, 28 -> grant(known);
      default -> op(Op.Kind.REVOKE, "", "", "", lease(known), 0, 0);
    };
  }

  private Op op(
      Op.Kind kind, String key, String end, String value, long lease, long number, long limit) {
    return new Op(kind, List.of(key), end, value, lease, number, limit);
  }

  private long past(Known known) {
    return random.nextBoolean() ? 0 : Math.max(1, known.newest - random.nextInt(20));
  }

  private Op update(Known known) {
    String key = key();
    long mod = known.modRevisions.getOrDefault(key, 0L);
    return op(Op.Kind.UPDATE, key, "", value(), lease(known), Math.max(1, mod), 0);
  }

  private Op multi(Known known) {
    TreeSet<String> keys = new TreeSet<>();
    for (int i = random.nextInt(2, 5); i > 0; i--) {
      keys.add(key());
    }
    return new Op(Op.Kind.MULTI, List.copyOf(keys), "", value(), lease(known), 0, 0);
  }

  private Op grant(Known known) {
    long id = FIRST_LEASE + grants++;
    known.leases.add(id);
    return op(Op.Kind.GRANT, "", "", "", id, random.nextInt(2, 40), 0);
  }

  Follower follower(long id, Known known) {
    long from = random.nextBoolean() ? 0 : Math.max(1, known.newest - random.nextInt(30));
    boolean prevKv = random.nextInt(4) > 0;
    boolean fragment = random.nextInt(4) == 0;
    return switch (random.nextInt(3)) {
      case 0 -> new Follower("\0", "\0", prevKv, fragment, id + 1, from);
      case 1 -> new Follower("/b", "/d", prevKv, fragment, id + 1, from);
      default -> new Follower(key(), "", prevKv, fragment, id + 1, from);
    };
  }
}
