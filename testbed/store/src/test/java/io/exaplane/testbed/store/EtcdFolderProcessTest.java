// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.exaplane.testbed.machine.Machine;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Line 22: folders that a real etcd leaves, and what {@code store restore} makes of them. */
class EtcdFolderProcessTest {
  /** The db stays behind the log until the etcd stops. */
  private static final String[] WRITES_LATE = {
    "--backend-batch-interval=1h", "--backend-batch-limit=1000000"
  };

  private static final int ROUNDS = 3;

  /** Of a megabyte; a segment has room for 64. */
  private static final int LARGE_KEYS = 66;

  @TempDir Path folder;

  /** Puts, deletions, Txns and leases that are in the log alone, and those that etcd refused. */
  @Test
  void oneThatWasKilledHasWhatTheEtcdHasWhenItStartsAgain() throws Exception {
    Path data = folder.resolve("etcd");
    try (ServerProcess etcd = ServerProcess.etcd(data, WRITES_LATE)) {
      int carriedOut = 0;
      for (int round = 0; round < ROUNDS; round++) {
        EtcdChanges.write(etcd, new Random(round));
        etcd.kill();
        String name = "store" + round;
        String words = restore(data, name, "--bump-revision=1000");
        assertThat(words).contains("restored ");
        carriedOut += words.contains("carried out entries") ? 1 : 0;
        etcd.start();
        try (ServerProcess store = ServerProcess.store(folder.resolve(name))) {
          RangeResponse ours = EtcdChanges.all(store);
          RangeResponse theirs = EtcdChanges.all(etcd);
          assertThat(ours.getKvsList()).isNotEmpty().isEqualTo(theirs.getKvsList());
          assertThat(ours.getHeader().getRevision())
              .isEqualTo(theirs.getHeader().getRevision() + 1000);
          assertThat(EtcdChanges.leases(store)).isEqualTo(EtcdChanges.leases(etcd));
        }
      }
      assertThat(carriedOut).isEqualTo(ROUNDS);
    }
  }

  @Test
  void aLogElsewhereIsReadWhereItIs() throws Exception {
    Path data = folder.resolve("etcd");
    Path log = folder.resolve("log");
    try (ServerProcess etcd = ServerProcess.etcd(data, "--wal-dir=" + log)) {
      put(etcd, 2);
      etcd.stop();
    }
    assertThat(restore(data, "refused")).contains("has no log").contains("--wal-dir");
    assertThat(restore(data, "taken", "--wal-dir=" + log)).contains("restored 2 keys");
  }

  /** The newer one of two segments is missed, and so is its beginning. */
  @Test
  void aLogThatWentOnInAnotherSegmentIsReadToItsEnd() throws Exception {
    Path data = folder.resolve("etcd");
    try (ServerProcess etcd = ServerProcess.etcd(data)) {
      ByteString value = ByteString.copyFrom(new byte[1_000_000]);
      KVGrpc.KVBlockingStub kv = KVGrpc.newBlockingStub(etcd.channel());
      for (int i = 0; i < LARGE_KEYS; i++) {
        ByteString key = ByteString.copyFromUtf8("/k" + i);
        kv.put(PutRequest.newBuilder().setKey(key).setValue(value).build());
      }
      etcd.kill();
    }
    assertThat(restore(data, "taken")).contains("restored %d keys".formatted(LARGE_KEYS));
    List<Path> segments;
    try (Stream<Path> files = Files.list(data.resolve("member/wal"))) {
      segments = files.filter(file -> file.toString().endsWith(".wal")).sorted().toList();
    }
    assertThat(segments).hasSize(2);
    Path aside = folder.resolve("aside");
    Files.move(segments.getLast(), aside);
    assertThat(restore(data, "refused")).containsAnyOf("without the room", "its last segment");
    Files.move(aside, segments.getLast());
    try (FileChannel last = FileChannel.open(segments.getLast(), StandardOpenOption.WRITE)) {
      last.truncate(0);
    }
    assertThat(restore(data, "refused")).contains("does not begin as etcd begins");
  }

  /** As after a loss of power; the etcd cuts off the torn entry and goes on without room. */
  @Test
  void aLogThatTheEtcdRepairedIsTakenAfterAStop() throws Exception {
    Path data = folder.resolve("etcd");
    Path segment = data.resolve("member/wal/%016x-%016x.wal".formatted(0, 0));
    try (ServerProcess etcd = ServerProcess.etcd(data)) {
      put(etcd, 2);
      etcd.stop();
      try (FileChannel log = FileChannel.open(segment, StandardOpenOption.WRITE)) {
        log.truncate(end(segment) - 5);
      }
      assertThat(restore(data, "refused")).contains("is damaged at offset");
      etcd.start();
      put(etcd, 3);
      etcd.stop();
    }
    assertThat(Files.size(segment)).isLessThan(1_000_000);
    assertThat(restore(data, "taken")).contains("restored 3 keys");
  }

  /** Where the room begins. */
  private static long end(Path segment) throws IOException {
    byte[] bytes = Files.readAllBytes(segment);
    int end = bytes.length;
    while (bytes[end - 1] == 0) {
      end--;
    }
    return end;
  }

  @Test
  void aFullOneIsTakenWithoutItsAlarm() throws Exception {
    Path data = folder.resolve("etcd");
    Path large = folder.resolve("large");
    Files.write(large, new byte[1 << 20]);
    try (ServerProcess etcd = ServerProcess.etcd(data, "--quota-backend-bytes=4000000")) {
      String refusal = "";
      for (int i = 0; i < 20 && refusal.isEmpty(); i++) {
        refusal = putFile(etcd, "/large" + i, large);
      }
      assertThat(refusal).contains("database space exceeded");
      etcd.stop();
    }
    assertThat(restore(data, "taken")).contains("left out: the alarm NOSPACE").contains("restored");
  }

  /** A learner follows; then it is one of two members. */
  @Test
  void oneMemberOfSeveralIsTakenOnlyByWhoSaysSo() throws Exception {
    Etcd usual = Etcd.usual();
    String peerA = "http://127.0.0.1:" + Machine.freePort();
    String peerB = "http://127.0.0.1:" + Machine.freePort();
    Path dataA = folder.resolve("a/etcd");
    Path dataB = folder.resolve("b/etcd");
    Files.createDirectories(dataA.getParent());
    Files.createDirectories(dataB.getParent());
    try (ServerProcess a =
        ServerProcess.etcd(dataA, EtcdFollower.member("a", peerA, "a=" + peerA))) {
      put(a, 5);
      String id = usual.addLearner(a.target(), "b", peerB);
      try (EtcdFollower b = new EtcdFollower(usual, dataB, Etcd.joins("b", peerB, "a", peerA))) {
        b.start();
        b.awaitKeys(5);
        b.stop();
        assertThat(restore(dataB, "refused"))
            .contains("to the learner b of a cluster with 2")
            .contains("--accept=one-member");
        b.start();
        usual.promote(a.target(), id);
        a.stop();
      }
    }
    assertThat(restore(dataA, "refused")).contains("to the member a of a cluster with 2");
    assertThat(restore(dataA, "taken", "--accept=one-member"))
        .contains("accepted (one-member)")
        .contains("restored 5 keys");
  }

  private static void put(ServerProcess etcd, int keys) throws Exception {
    for (int i = 0; i < keys; i++) {
      ServerProcess.run("etcdctl", "--endpoints=" + etcd.target(), "put", "/k" + i, "v");
    }
  }

  /** Empty, or the refusal. */
  private static String putFile(ServerProcess etcd, String key, Path value) throws Exception {
    Process put =
        new ProcessBuilder(
                Etcd.usual().program("etcdctl"), "--endpoints=" + etcd.target(), "put", key)
            .redirectInput(value.toFile())
            .redirectErrorStream(true)
            .start();
    String words = new String(put.getInputStream().readAllBytes());
    return put.waitFor() == 0 ? "" : words;
  }

  private String restore(Path data, String name, String... flags) throws Exception {
    List<String> command = Machine.storeCommand();
    command.addAll(List.of("restore", data.toString()));
    command.add("--data-dir=" + folder.resolve(name));
    command.addAll(List.of(flags));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes());
    process.waitFor();
    return printed;
  }
}
