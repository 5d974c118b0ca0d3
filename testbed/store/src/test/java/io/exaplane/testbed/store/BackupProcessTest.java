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
import java.nio.file.Files;
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
    // As a file system that was just made (7., line 21).
    Files.createDirectories(folder.resolve("store/lost+found"));
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

  /** Users and roles that were made and not switched on, then switched on. */
  @Test
  void aBackupWithUsersIsRestoredOnlyByWhoSaysSo() throws Exception {
    Path left = folder.resolve("left.db");
    Path on = folder.resolve("on.db");
    try (ServerProcess etcd = ServerProcess.etcd(folder.resolve("etcd"))) {
      String endpoint = "--endpoints=" + etcd.target();
      ServerProcess.run("etcdctl", endpoint, "put", "/a", "b");
      ServerProcess.run("etcdctl", endpoint, "user", "add", "root", "--new-user-password=pw");
      ServerProcess.run("etcdctl", endpoint, "role", "add", "readers");
      save(etcd, left);
      ServerProcess.run("etcdctl", endpoint, "user", "grant-role", "root", "root");
      ServerProcess.run("etcdctl", endpoint, "auth", "enable");
      ServerProcess.run("etcdctl", endpoint, "--user=root:pw", "snapshot", "save", on.toString());
    }
    assertThat(restore(left, "refused"))
        .contains("authentication is switched off, with 1 user (root), 1 role (readers)")
        .contains("--drop-auth");
    assertThat(folder.resolve("refused")).doesNotExist();
    assertThat(restore(on, "refused")).contains("authentication is switched on, with 1 user");
    assertThat(restore(on, "taken", "--drop-auth"))
        .contains("left out: authentication is switched on")
        .contains("restored 1 keys");
  }

  /** etcd's folder itself: stopped in good order, and killed. */
  @Test
  void oursGoesOnFromAFolderOfEtcd() throws Exception {
    Path data = folder.resolve("etcd");
    try (ServerProcess etcd = ServerProcess.etcd(data)) {
      fill(etcd.channel(), new Random(4), 300);
      assertThat(restore(data, "refused")).contains("an etcd runs on");
      etcd.stop();
      assertThat(restore(data, "stopped")).contains("restored ");
      assertThat(check(data, "3.7")).contains("etcd 3.6;").contains("can be started on it");
      assertThat(check(data, "3.5")).contains("etcdctl downgrade enable 3.5");
      etcd.start();
      for (int i = 0; i < 10; i++) {
        ServerProcess.run("etcdctl", "--endpoints=" + etcd.target(), "put", "/b", "c");
      }
      etcd.kill();
      // What it wrote in its last tenth of a second is in the log alone, unless it was lucky.
      assertThat(restore(data, "killed")).contains("restored ");
      // The etcd itself takes up what is in the log alone, as at each start of its pod.
      assertThat(check(data, "3.6.8-0", "--before-start")).contains("can be started on it");
      assertThat(check(data, "3.5.21-0", "--before-start")).contains("etcdctl downgrade enable");
      etcd.start();
    }
  }

  private String restore(Path backup, String name, String... flags) throws Exception {
    List<String> command = Machine.storeCommand();
    command.addAll(List.of("restore", backup.toString()));
    command.add("--data-dir=" + folder.resolve(name));
    command.addAll(List.of(flags));
    return output(command);
  }

  private static String check(Path data, String version, String... flags) throws Exception {
    List<String> command = Machine.storeCommand();
    command.addAll(List.of("etcd-check", data.toString(), "--for=" + version));
    command.addAll(List.of(flags));
    return output(command);
  }

  /** What it prints, however it ends. */
  private static String output(List<String> command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes());
    process.waitFor();
    return printed;
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
