// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.etcd.jetcd.api.CompactionRequest;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.HashKVRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.LeaseTimeToLiveRequest;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.ResponseHeader;
import io.etcd.jetcd.api.TxnRequest;
import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same requests, seeded and random, to etcd and to ours: every answer and every refusal is the
 * same, byte for byte but for the ids of cluster and member, and so is the hash of the history.
 */
class SameAnswersProcessTest {
  /** Every kind of request hundreds of times, over keys so few that they meet. */
  private static final int REQUESTS = 5_000;

  private static final int MANY_REQUESTS = 50_000;

  @TempDir Path folder;

  @Test
  void answersAsEtcdDoes() throws Exception {
    compare(Long.getLong("seed", 0), Integer.getInteger("requests", REQUESTS));
  }

  @Test
  @Tag("long")
  void answersManyRequestsAsEtcdDoes() throws Exception {
    compare(Long.getLong("seed", 1), Integer.getInteger("requests", MANY_REQUESTS));
  }

  private void compare(long seed, int count) throws Exception {
    EtcdRequests requests = new EtcdRequests(new Random(seed));
    try (ServerProcess store = ServerProcess.store(folder.resolve("store"), "--durability=memory");
        ServerProcess etcd = ServerProcess.etcd(folder.resolve("etcd"))) {
      for (int i = 0; i < count; i++) {
        Message request = requests.next();
        String expected = answer(etcd.channel(), request);
        assertThat(answer(store.channel(), request))
            .as("seed %d, request %d: %s", seed, i, request)
            .isEqualTo(expected);
        requests.note(request, expected);
      }
    }
  }

  private static String answer(Channel channel, Message request) {
    try {
      return withoutIds(send(channel, request));
    } catch (StatusRuntimeException e) {
      return e.getStatus().toString();
    }
  }

  private static Message send(Channel channel, Message request) {
    KVGrpc.KVBlockingStub kv = KVGrpc.newBlockingStub(channel);
    LeaseGrpc.LeaseBlockingStub lease = LeaseGrpc.newBlockingStub(channel);
    return switch (request) {
      case RangeRequest range -> kv.range(range);
      case PutRequest put -> kv.put(put);
      case DeleteRangeRequest delete -> kv.deleteRange(delete);
      case TxnRequest txn -> kv.txn(txn);
      case CompactionRequest compact -> kv.compact(compact);
      case LeaseGrantRequest grant -> lease.leaseGrant(grant);
      case LeaseRevokeRequest revoke -> lease.leaseRevoke(revoke);
      case LeaseTimeToLiveRequest time -> lease.leaseTimeToLive(time);
      case HashKVRequest hash -> MaintenanceGrpc.newBlockingStub(channel).hashKV(hash);
      default -> throw new IllegalArgumentException(request.toString());
    };
  }

  private static String withoutIds(Message response) {
    var headerField = response.getDescriptorForType().findFieldByName("header");
    ResponseHeader header = (ResponseHeader) response.getField(headerField);
    ResponseHeader revisionOnly =
        ResponseHeader.newBuilder().setRevision(header.getRevision()).build();
    return response.toBuilder().setField(headerField, revisionOnly).build().toString();
  }
}
