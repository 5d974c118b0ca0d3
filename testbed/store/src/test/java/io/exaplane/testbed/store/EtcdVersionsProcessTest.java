// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.api.CompactionRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.RangeResponse;
import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Machine;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Line 22: folders that real etcds of 3.5, 3.6 and 3.7 leave, by what was done to them. */
@Tag("long")
class EtcdVersionsProcessTest {
  /** The db stays behind the log until the etcd stops. */
  private static final String[] WRITES_LATE = {
    "--backend-batch-interval=1h", "--backend-batch-limit=1000000"
  };

  private static final int BUMP = 1000;
  private static final int KEYS = 5;

  /** Enough for snapshots of the log each ten entries. */
  private static final int MORE_THAN_A_SNAPSHOT = 20;

  private static final Duration CHANGES_VERSION = Duration.ofSeconds(180);

  @TempDir Path folder;
  private int restored;

  static List<Etcd> all() {
    return Etcd.all();
  }

  @ParameterizedTest
  @MethodSource("all")
  void oneThatWasKilledHasWhatTheEtcdHasWhenItStartsAgain(Etcd version) throws Exception {
    Path data = folder.resolve("etcd");
    try (ServerProcess etcd = version.start(data, WRITES_LATE)) {
      EtcdChanges.write(etcd, new Random(22));
      etcd.kill();
      String words = restore(data, "--bump-revision=" + BUMP);
      assertThat(words).contains("restored ").contains("carried out entries");
      etcd.start();
      requireSame(etcd);
    }
  }

  /** History was thrown away, the file is smaller than it was, and the log begins later. */
  @ParameterizedTest
  @MethodSource("all")
  void oneThatWasCompactedHasItsRevisionAndItsKeys(Etcd version) throws Exception {
    Path data = folder.resolve("etcd");
    try (ServerProcess etcd = version.start(data, "--snapshot-count=10")) {
      EtcdChanges.write(etcd, new Random(23));
      long revision = EtcdChanges.all(etcd).getHeader().getRevision();
      KVGrpc.newBlockingStub(etcd.channel())
          .compact(CompactionRequest.newBuilder().setRevision(revision).setPhysical(true).build());
      version.ctl(etcd.target(), "defrag");
      version.ctl(etcd.target(), "del", "/k1", "--prefix");
      etcd.stop();
      assertThat(restore(data, "--bump-revision=" + BUMP)).contains("restored ");
      etcd.start();
      requireSame(etcd);
    }
  }

  /** Users may be in the log alone: then only their etcd knows who may do what. */
  @ParameterizedTest
  @MethodSource("all")
  void oneWithUsersIsRestoredOnlyByWhoSaysSo(Etcd version) throws Exception {
    Path data = folder.resolve("etcd");
    try (ServerProcess etcd = version.start(data, WRITES_LATE)) {
      String at = etcd.target();
      put(version, at, "/a", "/b");
      version.ctl(at, "user", "add", "root", "--new-user-password=pw");
      version.ctl(at, "user", "grant-role", "root", "root");
      version.ctl(at, "auth", "enable");
      version.ctl(at, "--user=root:pw", "put", "/c", "v");
      etcd.kill();
      assertThat(restore(data, "--drop-auth"))
          .containsAnyOf("is about users and roles", "the entries depend on users")
          .contains("start this etcd once more with its own version");
      etcd.start();
      etcd.stop();
    }
    assertThat(restore(data)).contains("authentication is switched on, with 1 user (root)");
    assertThat(restore(data, "--drop-auth")).contains("restored 3 keys");
  }

  /** A learner, a member of two, and the one that was made a cluster of its own by force. */
  @ParameterizedTest
  @MethodSource("all")
  void aForcedNewClusterIsOneMemberAgain(Etcd version) throws Exception {
    String peerA = "http://127.0.0.1:" + Machine.freePort();
    String peerB = "http://127.0.0.1:" + Machine.freePort();
    Path dataA = Files.createDirectories(folder.resolve("a")).resolve("etcd");
    Path dataB = Files.createDirectories(folder.resolve("b")).resolve("etcd");
    String[] alone = EtcdFollower.member("a", peerA, "a=" + peerA);
    try (ServerProcess a = version.start(dataA, alone);
        EtcdFollower b = new EtcdFollower(version, dataB, Etcd.joins("b", peerB, "a", peerA))) {
      for (int i = 0; i < KEYS; i++) {
        put(version, a.target(), "/k" + i);
      }
      String id = version.addLearner(a.target(), "b", peerB);
      b.start();
      b.awaitKeys(KEYS);
      b.stop();
      assertThat(restore(dataB)).contains("to the learner b of a cluster with 2");
      b.start();
      version.promote(a.target(), id);
      put(version, a.target(), "/both");
      b.kill();
      // Its log may keep this one, which the cluster has not agreed on.
      assertThat(refusal(version, a.target(), "--command-timeout=2s", "put", "/one", "v"))
          .isNotEmpty();
      a.kill();
    }
    assertThat(restore(dataA)).contains("to the member a of a cluster with 2");
    List<String> forced = new ArrayList<>(List.of(alone));
    forced.add("--force-new-cluster");
    try (ServerProcess a = version.start(dataA, forced.toArray(String[]::new))) {
      put(version, a.target(), "/alone");
      a.stop();
    }
    assertThat(restore(dataA, "--bump-revision=" + BUMP)).contains("restored ");
    try (ServerProcess a = version.start(dataA, alone)) {
      requireSame(a);
    }
  }

  /** As a copy of {@code member/snap} is, or an etcd's file alone. */
  @ParameterizedTest
  @MethodSource("all")
  void aFileWithoutItsLogIsTakenOnlyAsABackup(Etcd version) throws Exception {
    Path data = folder.resolve("etcd");
    try (ServerProcess etcd = version.start(data)) {
      put(version, etcd.target(), "/a", "/b");
      etcd.stop();
    }
    Path db = data.resolve("member/snap/db");
    assertThat(restore(db, "--skip-hash-check")).contains("is a part of a data folder");
    Files.move(data.resolve("member/wal"), folder.resolve("aside"));
    assertThat(restore(data)).contains("has no log, which may have more than its db");
    assertThat(restore(db)).contains("has no checksum at its end");
    assertThat(restore(db, "--skip-hash-check")).contains("restored 2 keys");
  }

  /** In the log at first, then in a snapshot of the log. */
  @Test
  void keysOfVersion2AreLeftOutOnlyByWhoSaysSo() throws Exception {
    Etcd version = Etcd.of(all(), "3.5");
    Path data = folder.resolve("etcd");
    String[] flags = {"--enable-v2", "--snapshot-count=10"};
    try (EtcdFollower etcd = new EtcdFollower(version, data, flags);
        HttpClient client = HttpClient.newHttpClient()) {
      etcd.start();
      etcd.awaitServing();
      put(version, etcd.target(), "/a");
      HttpRequest put =
          HttpRequest.newBuilder(URI.create("http://%s/v2/keys/old".formatted(etcd.target())))
              .header("Content-Type", "application/x-www-form-urlencoded")
              .PUT(BodyPublishers.ofString("value=of-version-2"))
              .build();
      HttpResponse<String> answer = client.send(put, BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
      etcd.stop();
      assertThat(restore(data)).contains("of etcd's API of version 2").contains("v2-keys");
      etcd.start();
      etcd.awaitServing();
      for (int i = 0; i < MORE_THAN_A_SNAPSHOT; i++) {
        put(version, etcd.target(), "/a");
      }
      etcd.stop();
    }
    assertThat(restore(data)).contains("of etcd's API of version 2");
    assertThat(restore(data, "--accept=v2-keys"))
        .contains("accepted (v2-keys)")
        .contains("restored 1 keys");
  }

  /** 3.7 ends on the folder of 3.5, and starts after what the check says. */
  @Test
  void theWayFrom35To37IsTheOneThatTheCheckNames() throws Exception {
    Path data = folder.resolve("etcd");
    leaves(Etcd.of(all(), "3.5"), data);
    assertThat(check(data, "3.5")).contains("etcd 3.5;").contains("can be started on it");
    assertThat(check(data, "3.7")).contains("in the form of etcd 3.5, on which etcd 3.7 panics");
    Path copy = copy(data);
    try (EtcdFollower ends = new EtcdFollower(Etcd.of(all(), "3.7"), copy)) {
      ends.start();
      assertThat(ends.awaitEnd()).contains("panic");
    }
    assertThat(check(data, "3.6")).contains("can be started on it");
    Etcd between = Etcd.of(all(), "3.6");
    try (ServerProcess etcd = between.start(data, "--snapshot-count=10")) {
      for (int i = 0; i < MORE_THAN_A_SNAPSHOT; i++) {
        put(between, etcd.target(), "/between");
      }
      etcd.stop();
    }
    assertThat(check(data, "3.7")).contains("can be started on it");
    try (ServerProcess etcd = Etcd.of(all(), "3.7").start(data)) {
      assertThat(EtcdChanges.all(etcd).getCount()).isEqualTo(KEYS + 1);
      etcd.stop();
    }
    assertThat(restore(data)).contains("restored %d keys".formatted(KEYS + 1));
  }

  /** The older etcd refuses the folder until the newer one was told of the way back. */
  @Test
  void theWayBackFrom37To36IsTheOneThatTheCheckNames() throws Exception {
    goesBack(Etcd.of(all(), "3.7"), Etcd.of(all(), "3.6"));
  }

  @Test
  void theWayBackFrom36To35IsTheOneThatTheCheckNames() throws Exception {
    goesBack(Etcd.of(all(), "3.6"), Etcd.of(all(), "3.5"));
  }

  private void goesBack(Etcd newer, Etcd older) throws Exception {
    Path data = folder.resolve("etcd");
    leaves(newer, data);
    assertThat(check(data, older.minor()))
        .contains("the data was written by etcd " + newer.minor())
        .contains("etcdctl downgrade enable " + older.minor());
    try (ServerProcess etcd = newer.start(data)) {
      newer.ctl(etcd.target(), "downgrade", "enable", older.minor());
      String wanted = "\"storageVersion\":\"%s.0\"".formatted(older.minor());
      Await.until(
          CHANGES_VERSION,
          "storage version of etcd " + older.minor(),
          () -> status(newer, etcd).contains(wanted),
          () -> status(newer, etcd));
      etcd.stop();
    }
    assertThat(check(data, older.minor())).contains("can be started on it");
    assertThat(restore(data)).contains("restored %d keys".formatted(KEYS));
    try (ServerProcess etcd = older.start(data)) {
      assertThat(EtcdChanges.all(etcd).getCount()).isEqualTo(KEYS);
    }
  }

  private static String status(Etcd version, ServerProcess etcd) throws Exception {
    return version.ctl(etcd.target(), "endpoint", "status", "-w", "json");
  }

  /** A folder with some keys, whose etcd stopped in good order. */
  private static void leaves(Etcd version, Path data) throws Exception {
    try (ServerProcess etcd = version.start(data)) {
      for (int i = 0; i < KEYS; i++) {
        put(version, etcd.target(), "/k" + i);
      }
      etcd.stop();
    }
  }

  private static void put(Etcd version, String target, String... keys) throws Exception {
    for (String key : keys) {
      version.ctl(target, "put", key, "v");
    }
  }

  /** Empty if it is carried out. */
  private static String refusal(Etcd version, String target, String... arguments) throws Exception {
    try {
      version.ctl(target, arguments);
      return "";
    } catch (IOException e) {
      return e.getMessage();
    }
  }

  /** What was restored last, beside what the etcd has that runs on the folder now. */
  private void requireSame(ServerProcess etcd) throws Exception {
    try (ServerProcess store = ServerProcess.store(folder.resolve("store" + restored))) {
      RangeResponse ours = EtcdChanges.all(store);
      RangeResponse theirs = EtcdChanges.all(etcd);
      assertThat(ours.getKvsList()).isNotEmpty().isEqualTo(theirs.getKvsList());
      assertThat(ours.getHeader().getRevision()).isEqualTo(theirs.getHeader().getRevision() + BUMP);
      assertThat(EtcdChanges.leases(store)).isEqualTo(EtcdChanges.leases(etcd));
    }
  }

  private static Path copy(Path data) throws Exception {
    Path copy = data.resolveSibling("copy");
    ServerProcess.run(List.of("cp", "-a", data.toString(), copy.toString()));
    return copy;
  }

  private String restore(Path data, String... flags) throws Exception {
    restored++;
    List<String> command = Machine.storeCommand();
    command.addAll(List.of("restore", data.toString()));
    command.add("--data-dir=" + folder.resolve("store" + restored));
    command.addAll(List.of(flags));
    return output(command);
  }

  private static String check(Path data, String version) throws Exception {
    List<String> command = Machine.storeCommand();
    command.addAll(List.of("etcd-check", data.toString(), "--for=" + version));
    return output(command);
  }

  /** What it prints, however it ends. */
  private static String output(List<String> command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes());
    process.waitFor();
    return printed;
  }
}
