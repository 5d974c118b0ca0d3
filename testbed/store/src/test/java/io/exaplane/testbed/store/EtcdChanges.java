// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.LeaseTimeToLiveRequest;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;

/** Puts, deletions, Txns and leases, and what a server has after them. Stateless. */
final class EtcdChanges {
  private static final int CHANGES = 300;
  private static final int LEASES = 9;

  private EtcdChanges() {}

  /** Some of them are refused. */
  static void write(ServerProcess server, Random random) {
    KVGrpc.KVBlockingStub kv = KVGrpc.newBlockingStub(server.channel());
    LeaseGrpc.LeaseBlockingStub lease = LeaseGrpc.newBlockingStub(server.channel());
    for (int i = 0; i < CHANGES; i++) {
      ByteString key = ByteString.copyFromUtf8("/k" + random.nextInt(60));
      long id = 1 + random.nextInt(LEASES);
      PutRequest.Builder put = PutRequest.newBuilder().setKey(key);
      put.setValue(key.concat(ByteString.copyFromUtf8(" " + random.nextInt())));
      try {
        switch (random.nextInt(9)) {
          case 0 -> kv.deleteRange(DeleteRangeRequest.newBuilder().setKey(key).build());
          case 1 ->
              kv.deleteRange(
                  DeleteRangeRequest.newBuilder()
                      .setKey(key)
                      .setRangeEnd(key.concat(ByteString.copyFromUtf8("z")))
                      .setPrevKv(true)
                      .build());
          case 2 -> kv.txn(txn(random, put.build()));
          case 3 ->
              lease.leaseGrant(LeaseGrantRequest.newBuilder().setID(id).setTTL(3_600).build());
          case 4 -> lease.leaseRevoke(LeaseRevokeRequest.newBuilder().setID(id).build());
          case 5 -> kv.put(put.setLease(id).build());
          case 6 -> kv.put(put.setIgnoreValue(true).clearValue().build());
          default -> kv.put(put.build());
        }
      } catch (StatusRuntimeException e) {
        assertThat(e.getStatus().getCode()).isNotEqualTo(Status.Code.UNAVAILABLE);
      }
    }
  }

  private static TxnRequest txn(Random random, PutRequest put) {
    Compare.Builder compare = Compare.newBuilder().setKey(put.getKey());
    compare.setResult(Compare.CompareResult.GREATER);
    if (random.nextBoolean()) {
      compare.setTarget(Compare.CompareTarget.MOD).setModRevision(random.nextInt(300));
    } else {
      compare.setTarget(Compare.CompareTarget.VERSION).setVersion(random.nextInt(3));
    }
    DeleteRangeRequest delete = DeleteRangeRequest.newBuilder().setKey(put.getKey()).build();
    ByteString other = ByteString.copyFromUtf8("/other" + random.nextInt(5));
    return TxnRequest.newBuilder()
        .addCompare(compare)
        .addSuccess(RequestOp.newBuilder().setRequestPut(put))
        .addSuccess(RequestOp.newBuilder().setRequestPut(PutRequest.newBuilder(put).setKey(other)))
        .addFailure(RequestOp.newBuilder().setRequestDeleteRange(delete))
        .build();
  }

  /** All keys. */
  static RangeResponse all(ServerProcess server) {
    ByteString all = ByteString.copyFrom(new byte[1]);
    return KVGrpc.newBlockingStub(server.channel())
        .range(RangeRequest.newBuilder().setKey(all).setRangeEnd(all).build());
  }

  /** Of each lease, how long it was granted and its keys. */
  static List<String> leases(ServerProcess server) {
    LeaseGrpc.LeaseBlockingStub lease = LeaseGrpc.newBlockingStub(server.channel());
    return LongStream.rangeClosed(1, LEASES)
        .mapToObj(id -> LeaseTimeToLiveRequest.newBuilder().setID(id).setKeys(true).build())
        .map(lease::leaseTimeToLive)
        .map(
            seen ->
                "%d s: %s"
                    .formatted(
                        seen.getGrantedTTL(),
                        seen.getKeysList().stream()
                            .map(ByteString::toStringUtf8)
                            .sorted()
                            .toList()))
        .toList();
  }
}
