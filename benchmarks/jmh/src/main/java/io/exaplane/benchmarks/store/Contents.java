// SPDX-License-Identifier: Apache-2.0
package io.exaplane.benchmarks.store;

import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.SpaceLimits;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.lease.Leases;
import io.exaplane.store.core.memory.Region;
import java.nio.charset.StandardCharsets;

/** What a store of a benchmark holds: pods of one size, in a few namespaces. For one thread. */
final class Contents implements AutoCloseable {
  static final int KEYS = 10_000;
  private static final long REGION_BYTES = 8L << 30;
  private static final int NAMESPACES = 100;
  private static final int CLEANING_STEPS = 1 << 14;

  final Region region = Region.reserve(REGION_BYTES, Region.DEFAULT_SEGMENT_SHIFT);
  final Leases leases = new Leases(() -> 1);
  final Keyspace keyspace;
  final byte[] value;

  /**
   * @param readers threads that read it, beside the writer
   */
  Contents(int valueBytes, int readers) {
    this(text(valueBytes), readers);
  }

  /**
   * @param value of each key
   * @param readers threads that read it, beside the writer
   */
  Contents(byte[] value, int readers) {
    this.value = value;
    keyspace = new Keyspace(region, leases, KeyClasses.plain(), SpaceLimits.NONE, 1, readers);
  }

  /** As long as that, and no JSON. */
  static byte[] text(int bytes) {
    byte[] text = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      text[i] = (byte) ('a' + i % 23);
    }
    return text;
  }

  /** A custom resource of about that length: lists of maps with three fields. */
  static byte[] json(int bytes) {
    StringBuilder json =
        new StringBuilder("{\"apiVersion\":\"example.com/v1\",\"spec\":{\"items\":[{}");
    for (int i = 0; json.length() < bytes - 3; i++) {
      json.append(",{\"name\":\"item-%d\",\"on\":true,\"port\":%1$d}".formatted(i));
    }
    return json.append("]}}").toString().getBytes(StandardCharsets.US_ASCII);
  }

  /** Puts each key once. */
  void fill() {
    for (int i = 0; i < KEYS; i++) {
      byte[] key = key(i);
      keyspace.put(key, 0, key.length, value, 0, value.length, 0);
      keyspace.commit();
    }
    keyspace.publish();
  }

  static byte[] key(int number) {
    return "/registry/pods/namespace-%02d/pod-%06d"
        .formatted(number % NAMESPACES, number)
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** A PutRequest. */
  byte[] put(int number) {
    ReverseWriter out = new ReverseWriter();
    putTo(out, number);
    return out.copy();
  }

  private void putTo(ReverseWriter out, int number) {
    byte[] key = key(number);
    out.bytes(2, value, 0, value.length);
    out.bytes(1, key, 0, key.length);
  }

  /** A TxnRequest as kube-apiserver updates by: if the key is there put it, or else read it. */
  byte[] update(int number) {
    byte[] key = key(number);
    ReverseWriter out = new ReverseWriter();
    int mark = out.length();
    out.bytes(1, key, 0, key.length);
    out.message(1, mark); // request_range
    out.message(3, mark); // failure
    mark = out.length();
    putTo(out, number);
    out.message(2, mark); // request_put
    out.message(2, mark); // success
    mark = out.length();
    out.element(5, 0); // create_revision
    out.bytes(3, key, 0, key.length);
    out.number(2, 1); // target CREATE
    out.number(1, 1); // GREATER
    out.message(1, mark); // compare
    return out.copy();
  }

  /** Frees what was replaced, but for the newest batch. */
  void compact(int batch) {
    keyspace.compact(keyspace.revision() - batch);
    keyspace.publish();
    for (int i = 0; i < 100 && keyspace.cleaner().clean(CLEANING_STEPS, () -> Long.MAX_VALUE); ) {
      i++;
    }
  }

  @Override
  public void close() {
    region.close();
  }
}
