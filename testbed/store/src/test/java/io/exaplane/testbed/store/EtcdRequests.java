// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.etcd.jetcd.api.CompactionRequest;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.HashKVRequest;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.LeaseTimeToLiveRequest;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Random requests, good ones and bad ones, over so few keys that they meet each other. */
final class EtcdRequests {
  private static final String[] KEYS = {
    "", "a", "/registry/pods/a", "/registry/pods/b", "/registry/pods/c", "/registry/podz", "z"
  };
  private static final Pattern REVISION = Pattern.compile("revision: (\\d+)");

  private final Random random;
  private long revision = 1;
  private final Set<Long> compacted = new HashSet<>();

  EtcdRequests(Random random) {
    this.random = random;
  }

  /** Learns how far the store got. */
  void note(Message request, String answer) {
    Matcher matcher = REVISION.matcher(answer);
    if (matcher.find()) {
      revision = Math.max(revision, Long.parseLong(matcher.group(1)));
    }
    if (request instanceof CompactionRequest compact && answer.startsWith("header")) {
      compacted.add(compact.getRevision());
    }
  }

  Message next() {
    return switch (random.nextInt(24)) {
      case 0, 1, 2, 3, 4 -> put();
      case 5, 6, 7, 8, 9 -> range();
      case 10, 11 -> delete();
      case 12, 13, 14, 15, 16, 17 -> txn(0);
      case 18 ->
          CompactionRequest.newBuilder()
              .setRevision(Math.max(1, nearRevision()))
              .setPhysical(true)
              .build();
      case 19, 20 ->
          LeaseGrantRequest.newBuilder().setID(lease()).setTTL(random.nextInt(3) * 5000).build();
      case 21 -> LeaseRevokeRequest.newBuilder().setID(lease()).build();
      case 22 -> LeaseTimeToLiveRequest.newBuilder().setID(77).setKeys(true).build();
      default -> HashKVRequest.newBuilder().setRevision(hashedRevision()).build();
    };
  }

  /** etcd keeps the hashes that it made when it compacted, and gives them for those revisions. */
  private long hashedRevision() {
    long at = nearRevision();
    return compacted.contains(at) ? 0 : at;
  }

  private ByteString key() {
    return ByteString.copyFromUtf8(KEYS[random.nextInt(random.nextInt(20) == 0 ? 1 : KEYS.length)]);
  }

  private ByteString realKey() {
    return ByteString.copyFromUtf8(KEYS[random.nextInt(1, KEYS.length)]);
  }

  private ByteString end() {
    return switch (random.nextInt(5)) {
      case 0, 1 -> ByteString.EMPTY;
      case 2 -> ByteString.copyFrom(new byte[1]);
      default -> realKey();
    };
  }

  private ByteString value() {
    return ByteString.copyFromUtf8("v".repeat(random.nextInt(4)));
  }

  private long lease() {
    return 100 + random.nextInt(3);
  }

  private long nearRevision() {
    return Math.max(0, revision + 2 - random.nextInt(25));
  }

  private PutRequest put() {
    PutRequest.Builder put = PutRequest.newBuilder().setKey(key()).setPrevKv(random.nextBoolean());
    if (random.nextInt(8) == 0) {
      put.setIgnoreValue(true);
    }
    if (random.nextInt(8) == 0) {
      put.setIgnoreLease(true);
    }
    if (!put.getIgnoreValue() || random.nextInt(4) == 0) {
      put.setValue(value());
    }
    if (random.nextInt(4) == 0) {
      put.setLease(lease());
    }
    return put.build();
  }

  private DeleteRangeRequest delete() {
    return DeleteRangeRequest.newBuilder()
        .setKey(key())
        .setRangeEnd(end())
        .setPrevKv(random.nextBoolean())
        .build();
  }

  private RangeRequest range() {
    RangeRequest.Builder range = RangeRequest.newBuilder().setKey(key()).setRangeEnd(end());
    if (random.nextInt(3) == 0) {
      range.setLimit(random.nextInt(4));
    }
    if (random.nextInt(3) == 0) {
      range.setRevision(nearRevision());
    }
    if (random.nextInt(3) == 0) {
      range.setSortOrderValue(random.nextInt(4)).setSortTargetValue(random.nextInt(6));
    }
    range.setKeysOnly(random.nextInt(6) == 0).setCountOnly(random.nextInt(6) == 0);
    range.setSerializable(random.nextInt(6) == 0);
    if (random.nextInt(5) == 0) {
      range.setMinModRevision(nearRevision());
    }
    if (random.nextInt(5) == 0) {
      range.setMaxModRevision(nearRevision());
    }
    if (random.nextInt(5) == 0) {
      range.setMinCreateRevision(nearRevision());
    }
    if (random.nextInt(5) == 0) {
      range.setMaxCreateRevision(nearRevision());
    }
    return range.build();
  }

  private TxnRequest txn(int depth) {
    TxnRequest.Builder txn = TxnRequest.newBuilder();
    for (int i = random.nextInt(3); i > 0; i--) {
      txn.addCompare(compare());
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      txn.addSuccess(operation(depth));
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      txn.addFailure(operation(depth));
    }
    return txn.build();
  }

  private Compare compare() {
    Compare.Builder compare = Compare.newBuilder().setKey(key()).setResultValue(random.nextInt(4));
    if (random.nextInt(4) == 0) {
      compare.setRangeEnd(end());
    }
    return switch (random.nextInt(5)) {
      case 0 ->
          compare.setTarget(Compare.CompareTarget.VERSION).setVersion(random.nextInt(3)).build();
      case 1 ->
          compare.setTarget(Compare.CompareTarget.CREATE).setCreateRevision(nearRevision()).build();
      case 2 -> compare.setTarget(Compare.CompareTarget.MOD).setModRevision(nearRevision()).build();
      case 3 -> compare.setTarget(Compare.CompareTarget.VALUE).setValue(value()).build();
      // The client knows no comparison of leases.
      default -> compare.setTarget(Compare.CompareTarget.VERSION).setVersion(0).build();
    };
  }

  private RequestOp operation(int depth) {
    RequestOp.Builder operation = RequestOp.newBuilder();
    return switch (random.nextInt(depth > 2 ? 8 : 10)) {
      case 0, 1, 2 -> operation.setRequestPut(plainPut()).build();
      case 3, 4 -> operation.setRequestDeleteRange(closedDelete()).build();
      case 5, 6 -> operation.setRequestRange(range()).build();
      case 7 -> operation.build();
      default -> operation.setRequestTxn(txn(depth + 1)).build();
    };
  }

  /** Of no open range: a put of the same Txn may follow, and etcd ends when that was compacted. */
  private DeleteRangeRequest closedDelete() {
    DeleteRangeRequest delete = delete();
    boolean open = delete.getRangeEnd().equals(ByteString.copyFrom(new byte[1]));
    return open ? delete.toBuilder().clearRangeEnd().build() : delete;
  }

  /** Without what an open range deleted before it: etcd panics then (see the store's DESIGN.md). */
  private PutRequest plainPut() {
    return put().toBuilder().setIgnoreValue(false).setIgnoreLease(false).build();
  }
}
