// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.store.codec.ReverseWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Line 22: data folders of etcd in the states that people have them in. One is taken if its file
 * has all that the member ever acknowledged; for any other, words say what to do. The db of these
 * goes up to entry 9.
 */
class EtcdFolderTest extends EtcdFolders {
  @ParameterizedTest
  @CsvSource({"3.5", "3.6.0", "3.7.0"})
  void oneThatWasStoppedInGoodOrderIsTaken(String version) throws Exception {
    EtcdFolder seen = look(folder(version, LogFile.entries((int) APPLIED)));
    assertThat(seen.memberId()).isEqualTo(EtcdFile.MEMBER);
    assertThat(seen.backend()).isEqualTo(data.resolve("member/snap/db"));
    assertThat(look(data.resolve("member")).backend()).isEqualTo(seen.backend());
  }

  /** The db goes to entry 9. */
  @ParameterizedTest
  @ValueSource(ints = {9, 10, 40})
  void whatTheLogHasMoreThanTheFileIsNotLeftOut(int entries) throws Exception {
    folder("3.6.0", LogFile.entries(entries));
    assertThat(look(data).tail().map(EtcdTail::last))
        .isEqualTo(entries > APPLIED ? Optional.of((long) entries) : Optional.empty());
  }

  /** A new leader writes over entries that nobody acknowledged: the last one counts. */
  @Test
  void entriesThatWereWrittenOverDoNotCount() throws Exception {
    LogFile log = LogFile.entries(12).entry(8, new byte[0]).entry(9, EtcdFile.request(false));
    assertThat(look(folder("3.6.0", log)).memberId()).isEqualTo(EtcdFile.MEMBER);
  }

  @Test
  void aSnapshotThatCameAndWasNotTakenUpIsNotLeftOut() throws Exception {
    folder("3.6.0", LogFile.entries(9).snapshot(50));
    assertThatThrownBy(() -> look(data))
        .hasMessageContaining("has a snapshot of entry 50, its db goes to 9")
        .hasMessageContaining("backup of another member");
    folder("3.6.0", LogFile.entries(9));
    Files.createFile(data.resolve("member/snap/%016x-%016x.snap".formatted(2, 60)));
    assertThatThrownBy(() -> look(data)).hasMessageContaining("has a snapshot of entry 60");
  }

  @Test
  void aLogElsewhereOrOfAnotherTimeIsAskedFor() throws Exception {
    folder("3.6.0", LogFile.entries(12));
    Path elsewhere = parent.resolve("log");
    Files.move(data.resolve("member/wal"), elsewhere);
    assertThatThrownBy(() -> look(data))
        .hasMessageContaining("has no log")
        .hasMessageContaining("--wal-dir");
    assertThat(look(data, elsewhere).tail()).map(EtcdTail::last).contains(12L);

    Path later = parent.resolve("later");
    new LogFile().metadata(EtcdFile.MEMBER).write(later, 7, 30);
    assertThatThrownBy(() -> look(data, later))
        .hasMessageContaining("begins with entry 30, its db ends with 9")
        .hasMessageContaining("restore both from the same copy");
  }

  @Test
  void aFileOutOfTheFolderDoesNotGoPastItsChecks() throws Exception {
    folder("3.6.0", LogFile.entries(12));
    Path db = data.resolve("member/snap/db");
    assertThatThrownBy(() -> look(db))
        .hasMessageContaining("name the folder " + db.resolve("../..").normalize());
    Path copy = Files.copy(db, parent.resolve("db"));
    assertThat(look(copy).backend()).isEqualTo(copy);
  }

  /** Three segments: whole, the middle one gone, each in turn damaged anywhere. */
  @Test
  void aLogWithAGapOrDamageIsRefused() throws Exception {
    folder("3.6.0", LogFile.entries(1));
    Path wal = data.resolve("member/wal");
    LogFile log = LogFile.entries(3);
    Path[] segments = new Path[3];
    int[] ends = new int[3];
    for (int i = 0; i < 3; i++) {
      ends[i] = log.end();
      segments[i] = log.write(wal, i, 3 * i + (i == 0 ? 0 : 1));
      for (int next = 1; i < 2 && next <= 3; next++) {
        log.entry(3 * (i + 1) + next, EtcdFile.request(false));
      }
    }
    assertThat(look(data).memberId()).isEqualTo(EtcdFile.MEMBER);

    byte[] middle = Files.readAllBytes(segments[1]);
    Files.delete(segments[1]);
    assertThatThrownBy(() -> look(data))
        .hasMessageContaining("a segment of the log is missing")
        .hasMessageContaining("restore a backup");
    Files.write(segments[1], middle);

    for (int i = 0; i < 3; i++) {
      byte[] whole = Files.readAllBytes(segments[i]);
      for (int at = 0; at < ends[i]; at++) {
        byte[] damaged = whole.clone();
        damaged[at] ^= 0x10;
        Files.write(segments[i], damaged);
        assertDamageShowsOrDoesNotMatter(i, at);
      }
      Files.write(segments[i], whole);
    }
  }

  /** A bit of padding says nothing; else it is found. */
  private void assertDamageShowsOrDoesNotMatter(int segment, int at) throws IOException {
    EtcdLog log;
    try {
      log = EtcdLog.of(data.resolve("member/snap"), data.resolve("member/wal"));
    } catch (IOException e) {
      assertThat(e).hasMessageContaining(".wal").hasMessageMatching("(?s).*(damaged|write).*");
      return;
    }
    assertThat(log.lastIndex()).as("segment %d, byte %d", segment, at).isEqualTo(APPLIED);
  }

  /** The last frame, of which a sector was never written, was told nobody. */
  @Test
  void aFrameThatWasBeingWrittenIsNoDamageAndAFileThatBreaksOffIs() throws Exception {
    byte[] large = new byte[3_000];
    Arrays.fill(large, (byte) 7);
    ReverseWriter out = new ReverseWriter();
    out.bytes(4, large, 0, large.length);
    LogFile log = LogFile.entries(9).entry(10, out.copy());
    int begin = log.lastFrame();
    int end = log.end();
    folder("3.6.0", log);
    Path segment = data.resolve("member/wal/0000000000000000-0000000000000000.wal");
    byte[] whole = Files.readAllBytes(segment);
    assertThat(look(data).tail()).map(EtcdTail::last).contains(10L);
    for (int cut = begin; cut < end; cut += 1 + cut % 7) {
      Files.write(segment, Arrays.copyOf(whole, cut));
      if (cut >= begin + Long.BYTES) {
        assertThatThrownBy(() -> look(data)).as("cut at %d", cut).hasMessageContaining("damaged");
      } else {
        assertThatThrownBy(() -> look(data))
            .as("cut at %d", cut)
            .hasMessageContaining("ends without the room");
      }
    }
    for (int from = end - 600; from > begin + 700; from -= 300) {
      byte[] torn = whole.clone();
      Arrays.fill(torn, from, from + 1_100 > end ? end : from + 1_100, (byte) 0);
      Files.write(segment, torn);
      assertThat(look(data).memberId()).as("from %d", from).isEqualTo(EtcdFile.MEMBER);
    }
    byte[] flipped = whole.clone();
    flipped[begin + 2_000] ^= 1;
    Files.write(segment, flipped);
    assertThatThrownBy(() -> look(data)).hasMessageContaining("damaged");
  }

  /** Of a request itself, or in one of version 3; of users, or of etcd's own. */
  @ParameterizedTest
  @CsvSource({
    "PUT, /1/message, 1",
    "POST, /1/queue, 1",
    "GET, /1/message, 0",
    "SYNC, '', 0",
    "PUT, /0/members/8e9e05c52164694d/attributes, 0",
    "PUT, /0/version, 0",
  })
  void keysOfVersion2AreCounted(String method, String path, int keys) throws Exception {
    byte[] plain = version2(method, path);
    ReverseWriter out = new ReverseWriter();
    out.bytes(2, plain, 0, plain.length);
    out.number(1, 4713);
    byte[] nested = out.copy();
    LogFile log = new LogFile().metadata(EtcdFile.MEMBER).entry(1, plain).entry(2, nested);
    for (int i = 3; i <= APPLIED; i++) {
      log.entry(i, EtcdFile.request(false));
    }
    EtcdFolder seen = look(folder("3.5", log));
    assertThat(seen.keysOfVersion2()).isEqualTo(2 * keys);
    assertThat(seen.oldRequests()).isEqualTo(2);
  }

  private static byte[] version2(String method, String path) {
    ReverseWriter out = new ReverseWriter();
    out.bytes(3, path.getBytes(StandardCharsets.UTF_8), 0, path.length());
    out.bytes(2, method.getBytes(StandardCharsets.UTF_8), 0, method.length());
    out.number(1, 4711);
    return out.copy();
  }

  @Test
  void keysOfVersion2InASnapshotAreCountedAndMembersAreNot() throws Exception {
    folder("3.5", LogFile.entries(9));
    String root =
        """
        {"Root":{"Path":"/","Children":{"0":{"Path":"/0","Children":{"members":{"Path":"/0/members",
        "Value":"\\"Path\\":\\"/1/no"}}},"1":{"Path":"/1","Children":{%s}}}}}""";
    Path snapshot = data.resolve("member/snap/%016x-%016x.snap".formatted(2, 9));
    Files.writeString(snapshot, root.formatted(""));
    assertThat(look(data).keysOfVersion2()).isZero();
    Files.writeString(
        snapshot,
        root.formatted("\"a\":{\"Path\":\"/1/a\",\"Value\":\"x\"},\"b\":{\"Path\":\"/1/b\"}"));
    assertThat(look(data).keysOfVersion2()).isEqualTo(2);
  }

  /** As an etcd in another container has it, whose locks /proc/locks of this one does not show. */
  @Test
  void oneThatIsInUseIsRefused() throws Exception {
    folder("3.6.0", LogFile.entries(9));
    String db = data.resolve("member/snap/db").toString();
    Process holder = new ProcessBuilder("flock", db, "sh", "-c", "echo locked; read end").start();
    try (BufferedReader words =
        new BufferedReader(
            new InputStreamReader(holder.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(words.readLine()).isEqualTo("locked");
      assertThatThrownBy(() -> look(data))
          .hasMessageContaining("an etcd runs on")
          .hasMessageContaining("etcdctl snapshot save");
    } finally {
      holder.getOutputStream().close();
      holder.waitFor();
    }
    assertThat(look(data).memberId()).isEqualTo(EtcdFile.MEMBER);
  }

  /** An etcd that starts meanwhile waits for this lock. */
  @Test
  void noEtcdCanWriteUntilTheFolderIsClosed() throws Exception {
    folder("3.6.0", LogFile.entries(9));
    try (EtcdFolder open = EtcdFolder.of(data, null)) {
      assertThat(isWritable(open.backend())).isFalse();
      assertThat(EtcdContents.of(open.backend()).alarms()).isEmpty();
      assertThat(isWritable(open.backend())).isFalse();
    }
    assertThat(isWritable(data.resolve("member/snap/db"))).isTrue();
    Files.write(segment(0), new byte[0]);
    assertThatThrownBy(() -> EtcdFolder.of(data, null)).hasMessageContaining("does not begin");
    assertThat(isWritable(data.resolve("member/snap/db"))).isTrue();
  }

  private static boolean isWritable(Path file) throws Exception {
    return new ProcessBuilder("flock", "--nonblock", file.toString(), "true").start().waitFor()
        == 0;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 1_000})
  void sumsAreThoseOfJavaAndGoOn(int bytes) {
    byte[] random = new byte[bytes];
    new Random(bytes).nextBytes(random);
    CRC32C java = new CRC32C();
    java.update(random);
    Castagnoli ours = new Castagnoli();
    ours.update(random, 0, bytes / 2);
    Castagnoli next = new Castagnoli();
    next.set(ours.sum());
    next.update(random, bytes / 2, bytes - bytes / 2);
    assertThat(Integer.toUnsignedLong(next.sum())).isEqualTo(java.getValue());
  }

  @Test
  void ofOneMemberOfSeveralOnlyAPersonKnowsWhetherItHasAll() throws Exception {
    String own = Long.toHexString(EtcdFile.MEMBER);
    EtcdFile alone = EtcdFile.of("3.6.0").with("members", own, member("m1", false));
    assertThat(doubts(alone)).isEmpty();
    assertThat(doubts(EtcdFile.of("3.5"))).isEmpty();
    EtcdFile three =
        EtcdFile.of("3.7.0")
            .with("members", own, member("m1", false))
            .with("members", "a1", member("m2", false))
            .with("members", "b2", member("", true));
    assertThat(doubts(three))
        .isEqualTo(
            "one-member: the folder belongs to the member m1 of a cluster with 3 (m1, m2, b2), and may lack data that other members have. Take a backup of the cluster with 'etcdctl snapshot save'");
    assertThat(doubts(EtcdFile.of("3.6.0").with("members", own, member("m1", true))))
        .contains("to the learner m1");
    assertThat(doubts(EtcdFile.of("3.6.0").with("members", "a1", member("m2", false))))
        .contains("to a member that was removed, " + own);
  }

  private static String member(String name, boolean isLearner) {
    return "{\"id\":1,\"peerURLs\":[\"http://10.0.0.1:2380\"]%s%s}"
        .formatted(
            isLearner ? ",\"isLearner\":true" : "",
            name.isEmpty() ? "" : ",\"name\":\"" + name + "\"");
  }

  @ParameterizedTest
  @CsvSource({"1, NOSPACE, ''", "2, CORRUPT, corrupt-alarm: etcd raised the alarm CORRUPT"})
  void alarmsAreSeenAndOneOfThemIsADoubt(int alarm, String name, String said) throws Exception {
    EtcdFile file =
        EtcdFile.of("3.6.0").with("alarm", new String(new byte[] {8, 7, 16, (byte) alarm}), "");
    assertThat(EtcdContents.of(file.write(parent.resolve("db"))).alarms()).containsExactly(name);
    Files.delete(parent.resolve("db"));
    assertThat(doubts(file)).contains(said).matches(words -> said.isEmpty() == words.isEmpty());
  }

  private String doubts(EtcdFile file) throws IOException {
    Path folder = Files.createTempDirectory(parent, "etcd");
    List<byte[]> log = Collections.nCopies((int) APPLIED, EtcdFile.request(false));
    EtcdFolder seen = look(file.writeFolder(folder, log, 0));
    return String.join(
        "; ",
        EtcdDoubt.of(seen, EtcdContents.of(seen.backend())).entrySet().stream()
            .map(doubt -> doubt.getKey() + ": " + doubt.getValue())
            .toList());
  }
}
