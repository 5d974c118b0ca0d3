// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.CompactionRequest;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.HashKVRequest;
import io.etcd.jetcd.api.HashKVResponse;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseTimeToLiveRequest;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.exaplane.testbed.machine.Machine;
import io.grpc.Channel;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups by etcd's own tools, from ours to etcd and back. */
class BackupProcessTest {
  private static final long LEASE = 4711;

  @TempDir Path folder;

  @Test
  void etcdGoesOnFromOurBackupThatWasTakenDuringWrites() throws Exception {
    try (ServerProcess store = ServerProcess.store(folder.resolve("store"))) {
      fill(store.channel(), new Random(1), 3000);
      Path backup = folder.resolve("backup.db");
      whileWriting(store, () -> save(store, backup));
      long revision = status(backup);
      ServerProcess.run(
          "etcdutl", "snapshot", "restore", backup.toString(), "--data-dir", folder + "/etcd");
      try (ServerProcess etcd = ServerProcess.etcd(folder.resolve("etcd"))) {
        assertThat(hash(etcd, 0).getHeader().getRevision()).isEqualTo(revision);
        assertThat(hash(etcd, revision).getHash()).isEqualTo(hash(store, revision).getHash());
        assertThat(at(etcd, revision)).isNotEmpty().isEqualTo(at(store, revision));
        assertThat(keysOfLease(etcd)).isPositive().isEqualTo(keysOfLease(store));
      }
    }
  }

  @Test
  void oursGoesOnFromABackupOfEtcd() throws Exception {
    Path backup = folder.resolve("backup.db");
    List<KeyValue> before;
    long revision;
    try (ServerProcess etcd = ServerProcess.etcd(folder.resolve("etcd"))) {
      fill(etcd.channel(), new Random(2), 3000);
      save(etcd, backup);
      revision = hash(etcd, 0).getHeader().getRevision();
      before = at(etcd, revision);
    }
    List<String> restore = Machine.storeCommand();
    restore.addAll(
        List.of("restore", backup.toString(), "--data-dir", folder.resolve("store").toString()));
    restore.add("--bump-revision=1000");
    assertThat(ServerProcess.run(restore)).contains("restored %d keys".formatted(before.size()));
    try (ServerProcess store = ServerProcess.store(folder.resolve("store"))) {
      HashKVResponse hash = hash(store, 0);
      assertThat(hash.getHeader().getRevision()).isEqualTo(revision + 1000);
      assertThat(hash.getCompactRevision()).isEqualTo(revision + 1000);
      assertThat(at(store, 0)).isEqualTo(before);
      assertThat(keysOfLease(store)).isPositive();
      // And back again.
      save(store, backup);
      assertThat(status(backup)).isLessThanOrEqualTo(revision + 1000);
    }
  }

  private static void fill(Channel channel, Random random, int changes) {
    KVGrpc.KVBlockingStub kv = KVGrpc.newBlockingStub(channel);
    LeaseGrpc.newBlockingStub(channel)
        .leaseGrant(LeaseGrantRequest.newBuilder().setID(LEASE).setTTL(3600).build());
    long revision = 1;
    for (int i = 0; i < changes; i++) {
      ByteString key = ByteString.copyFromUtf8("/registry/pods/p" + random.nextInt(400));
      if (random.nextInt(5) == 0) {
        kv.deleteRange(DeleteRangeRequest.newBuilder().setKey(key).build());
      } else {
        byte[] value = new byte[random.nextInt(3000)];
        random.nextBytes(value);
        PutRequest.Builder put =
            PutRequest.newBuilder().setKey(key).setValue(ByteString.copyFrom(value));
        put.setLease(random.nextInt(10) == 0 ? LEASE : 0);
        revision = kv.put(put.build()).getHeader().getRevision();
      }
      if (i == changes / 2) {
        kv.compact(CompactionRequest.newBuilder().setRevision(revision).setPhysical(true).build());
      }
    }
  }

  private interface Action {
    void run() throws Exception;
  }

  private static void whileWriting(ServerProcess store, Action action) throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    Thread writer =
        Thread.ofVirtual()
            .start(
                () -> {
                  Random random = new Random(3);
                  KVGrpc.KVBlockingStub kv = KVGrpc.newBlockingStub(store.channel());
                  while (!done.get()) {
                    ByteString key =
                        ByteString.copyFromUtf8("/registry/events/e" + random.nextInt(400));
                    kv.put(PutRequest.newBuilder().setKey(key).setValue(key).build());
                  }
                });
    try {
      action.run();
    } finally {
      done.set(true);
      writer.join();
    }
  }

  private static void save(ServerProcess server, Path file) throws Exception {
    ServerProcess.run(
        "etcdctl", "--endpoints=" + server.target(), "snapshot", "save", file.toString());
  }

  /** The revision of a backup that etcdutl finds whole. */
  private static long status(Path file) throws Exception {
    String json = ServerProcess.run("etcdutl", "snapshot", "status", file.toString(), "-w", "json");
    Matcher revision = Pattern.compile("\"revision\":(\\d+)").matcher(json);
    assertThat(revision.find()).as(json).isTrue();
    return Long.parseLong(revision.group(1));
  }

  private static HashKVResponse hash(ServerProcess server, long revision) {
    return MaintenanceGrpc.newBlockingStub(server.channel())
        .hashKV(HashKVRequest.newBuilder().setRevision(revision).build());
  }

  private static List<KeyValue> at(ServerProcess server, long revision) {
    ByteString all = ByteString.copyFrom(new byte[1]);
    return KVGrpc.newBlockingStub(server.channel())
        .range(RangeRequest.newBuilder().setKey(all).setRangeEnd(all).setRevision(revision).build())
        .getKvsList();
  }

  private static int keysOfLease(ServerProcess server) {
    return LeaseGrpc.newBlockingStub(server.channel())
        .leaseTimeToLive(LeaseTimeToLiveRequest.newBuilder().setID(LEASE).setKeys(true).build())
        .getKeysCount();
  }
}
