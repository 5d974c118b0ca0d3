// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.HashKVRequest;
import io.etcd.jetcd.api.LeaseTimeToLiveRequest;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.SnapshotRequest;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchRequest;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Seeded requests whose answers may be as large as the store, by whatever method. */
final class LargeRequests {
  /** A request, by its method. */
  record Large(String method, MessageLite message) {
    /** For a report: the message may be large, too. */
    @Override
    public String toString() {
      return method + ", %d bytes".formatted(message.getSerializedSize());
    }
  }

  static final String SMALL = "/registry/events/";
  static final String MEDIUM = "/registry/pods/";
  static final String LARGE = "/registry/configmaps/";
  static final String ALL = "/registry/";
  static final long LEASE = 4711;

  /** As the flag --max-request-bytes has it, less what is around a value. */
  private static final int MOST_VALUE_BYTES = (3 << 19) - 4096;

  private static final int MOST_OPERATIONS = 128;
  private static final int MOST_DEPTH = 3;
  private static final String KV = "etcdserverpb.KV/";

  private final Random random;

  LargeRequests(long seed) {
    random = new Random(seed);
  }

  Large next(long revision) {
    return switch (random.nextInt(20)) {
      case 0, 1, 2, 3 -> new Large(KV + "Range", range(revision));
      case 4 -> new Large(KV + "RangeStream", prefix(anyPrefix()).build());
      case 5, 6, 7, 8, 9 -> new Large(KV + "Txn", txn(revision, 0, MOST_OPERATIONS));
      case 10 -> new Large(KV + "DeleteRange", slice());
      case 11 -> new Large(KV + "Put", put(random.nextInt(40)));
      case 12, 13, 14 -> new Large("etcdserverpb.Watch/Watch", watch(revision));
      case 15 ->
          new Large("etcdserverpb.Maintenance/Snapshot", SnapshotRequest.getDefaultInstance());
      case 16 -> new Large("etcdserverpb.Maintenance/HashKV", HashKVRequest.getDefaultInstance());
      case 17 ->
          // The client knows no such request; an empty one has no field.
          new Large("etcdserverpb.Lease/LeaseLeases", SnapshotRequest.getDefaultInstance());
      default ->
          new Large(
              "etcdserverpb.Lease/LeaseTimeToLive",
              LeaseTimeToLiveRequest.newBuilder().setID(LEASE).setKeys(true).build());
    };
  }

  /** The end of a whole prefix, whose values its client wants to see. */
  static Large deletion(String prefix) {
    return new Large(
        KV + "DeleteRange",
        DeleteRangeRequest.newBuilder()
            .setKey(utf8(prefix))
            .setRangeEnd(end(prefix))
            .setPrevKv(true)
            .build());
  }

  static ByteString utf8(String text) {
    return ByteString.copyFromUtf8(text);
  }

  private static ByteString end(String prefix) {
    byte[] end = prefix.getBytes(StandardCharsets.UTF_8);
    end[end.length - 1]++;
    return ByteString.copyFrom(end);
  }

  private String anyPrefix() {
    return new String[] {SMALL, MEDIUM, LARGE, ALL}[random.nextInt(4)];
  }

  private static RangeRequest.Builder prefix(String prefix) {
    return RangeRequest.newBuilder().setKey(utf8(prefix)).setRangeEnd(end(prefix));
  }

  private RangeRequest range(long revision) {
    RangeRequest.Builder range = prefix(anyPrefix());
    range.setSortOrderValue(random.nextInt(3)).setSortTargetValue(random.nextInt(5));
    if (random.nextBoolean()) {
      range.setMinModRevision(1 + random.nextInt(100));
    }
    if (random.nextBoolean()) {
      range.setMaxCreateRevision(revision - random.nextInt(100));
    }
    if (random.nextInt(3) == 0) {
      range.setLimit(1 + random.nextInt(100_000));
    }
    return range.setKeysOnly(random.nextInt(4) == 0).build();
  }

  private TxnRequest txn(long revision, int depth, int operations) {
    TxnRequest.Builder txn = TxnRequest.newBuilder();
    // Holds or not.
    txn.addCompare(
        Compare.newBuilder()
            .setKey(utf8(SMALL))
            .setRangeEnd(end(SMALL))
            .setTarget(Compare.CompareTarget.VERSION)
            .setResult(Compare.CompareResult.GREATER)
            .setVersion(random.nextInt(2)));
    int count = random.nextBoolean() ? 1 + random.nextInt(2) : 1 + random.nextInt(operations);
    for (int i = 0; i < count; i++) {
      txn.addSuccess(operation(revision, depth, count));
      txn.addFailure(operation(revision, depth, count));
    }
    return txn.build();
  }

  private RequestOp operation(long revision, int depth, int siblings) {
    RequestOp.Builder operation = RequestOp.newBuilder();
    return switch (random.nextInt(depth < MOST_DEPTH && siblings < 10 ? 4 : 3)) {
      case 0 -> operation.setRequestRange(range(revision)).build();
      case 1 ->
          operation.setRequestRange(prefix(MEDIUM).setLimit(1 + random.nextInt(1000))).build();
      case 2 -> operation.setRequestRange(prefix(LARGE).setLimit(1 + random.nextInt(8))).build();
      default -> operation.setRequestTxn(txn(revision, depth + 1, 8)).build();
    };
  }

  /** A sixteenth of a prefix. */
  private DeleteRangeRequest slice() {
    String prefix = random.nextBoolean() ? SMALL : MEDIUM;
    String digit = prefix + Integer.toHexString(random.nextInt(16));
    return DeleteRangeRequest.newBuilder()
        .setKey(utf8(digit))
        .setRangeEnd(end(digit))
        .setPrevKv(random.nextBoolean())
        .build();
  }

  private PutRequest put(int number) {
    byte[] value = new byte[random.nextInt(MOST_VALUE_BYTES)];
    random.nextBytes(value);
    return PutRequest.newBuilder()
        .setKey(utf8(LARGE + number))
        .setValue(ByteString.copyFrom(value))
        .setPrevKv(true)
        .build();
  }

  private WatchRequest watch(long revision) {
    String prefix = anyPrefix();
    return WatchRequest.newBuilder()
        .setCreateRequest(
            WatchCreateRequest.newBuilder()
                .setKey(utf8(prefix))
                .setRangeEnd(end(prefix))
                .setPrevKv(true)
                .setStartRevision(1 + random.nextInt((int) revision)))
        .build();
  }
}
