// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.simulation;

import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.error.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A client's request with all that is known of it. */
final class Op {
  /** What it asks for; CREATE, UPDATE are kube-apiserver's Txns, MULTI puts several keys in one. */
  enum Kind {
    PUT("KV/Put"),
    CREATE("KV/Txn"),
    UPDATE("KV/Txn"),
    MULTI("KV/Txn"),
    DELETE("KV/DeleteRange"),
    RANGE("KV/Range"),
    STREAM("KV/RangeStream"),
    COMPACT("KV/Compact"),
    GRANT("Lease/LeaseGrant"),
    REVOKE("Lease/LeaseRevoke");

    final String path;

    Kind(String method) {
      path = "/etcdserverpb." + method;
    }
  }

  final Kind kind;
  final List<String> keys;
  final String end;
  final String value;
  final long lease;

  /** Revision that is asked for, compacted or expected; time to live in seconds; limit. */
  final long number;

  final long limit;

  /** The newest revision that any client knew when it was sent. */
  long floor;

  long sentMs;
  long failedMs;
  Answer answer;
  StoreException error;

  Op(Kind kind, List<String> keys, String end, String value, long lease, long number, long limit) {
    this.kind = kind;
    this.keys = keys;
    this.end = end;
    this.value = value;
    this.lease = lease;
    this.number = number;
    this.limit = limit;
  }

  String key() {
    return keys.getFirst();
  }

  boolean isDone() {
    return answer != null || error != null;
  }

  /** The request's bytes. */
  byte[] encode() {
    ReverseWriter out = new ReverseWriter();
    switch (kind) {
      case PUT -> put(out, key());
      case DELETE -> range(out, key(), end);
      case RANGE, STREAM -> {
        out.number(4, number);
        out.number(3, limit);
        range(out, key(), end);
      }
      case COMPACT -> out.number(1, number);
      case GRANT -> {
        out.number(2, lease);
        out.number(1, number);
      }
      case REVOKE -> out.number(1, lease);
      default -> txn(out);
    }
    return out.copy();
  }

  private void put(ReverseWriter out, String key) {
    out.number(3, lease);
    bytes(out, 2, value);
    bytes(out, 1, key);
  }

  private static void range(ReverseWriter out, String key, String end) {
    if (!end.isEmpty()) {
      bytes(out, 2, end);
    }
    bytes(out, 1, key);
  }

  static void bytes(ReverseWriter out, int field, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    out.bytes(field, bytes, 0, bytes.length);
  }

  private void txn(ReverseWriter out) {
    if (kind == Kind.UPDATE) {
      int failure = out.length();
      range(out, key(), "");
      out.message(1, failure);
      out.message(3, failure);
    }
    for (String key : keys.reversed()) {
      int success = out.length();
      put(out, key);
      out.message(2, success);
      out.message(2, success);
    }
    if (kind != Kind.MULTI) {
      int compare = out.length();
      out.number(6, number);
      bytes(out, 3, key());
      out.number(2, 2); // mod revision
      out.message(1, compare);
    }
  }

  @Override
  public String toString() {
    return "%s %s..%s %s lease=%d number=%d limit=%d floor=%d -> %s"
        .formatted(
            kind,
            keys,
            end.equals("\0") ? "all" : end,
            value,
            lease,
            number,
            limit,
            floor,
            error != null ? error.getMessage() : answer == null ? "?" : "rev " + answer.revision);
  }
}
