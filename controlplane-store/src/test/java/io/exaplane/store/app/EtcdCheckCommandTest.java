// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.backup.EtcdFile;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Line 22: what is known of a folder before an etcd starts on it, in a pod and by hand. */
class EtcdCheckCommandTest {
  /** As much of a container's last words as the operator's conditions show. */
  private static final int SHOWN = 500;

  @TempDir Path parent;
  private String told;

  private int check(Path folder, String version, String... flags) {
    StringWriter words = new StringWriter();
    PrintWriter out = new PrintWriter(words);
    List<String> line = new ArrayList<>(List.of("etcd-check", "--for=" + version));
    line.addAll(List.of(flags));
    line.add(folder.toString());
    CommandLine store = Main.commandLine();
    store.getSubcommands().get("etcd-check").setOut(out).setErr(out);
    int code = store.setOut(out).setErr(out).execute(line.toArray(String[]::new));
    told = words.toString();
    return code;
  }

  /** Of a folder, how many requests of 3.5 its log ends with, and which etcd starts in the pod. */
  @ParameterizedTest
  @CsvSource({
    "3.5, 0, 3.5.21-0, 0, can be started",
    "3.5, 9, 3.6.8-0, 0, can be started",
    "3.5, 9, 3.7.3-0, 1, Start etcd 3.6 on the data with --snapshot-count=10",
    "3.6.0, 9, v3.7.0, 1, Start etcd 3.6 on the data with --snapshot-count=10",
    "3.6.0, 0, 3.7.3-0, 0, can be started",
    "3.6.0, 0, 3.5.21-0, 1, etcdctl downgrade enable 3.5",
    "3.7.0, 0, 3.6.8-0, 1, etcdctl downgrade enable 3.6",
    "3.8.0, 0, 3.7.3-0, 1, the data was written by etcd 3.8. Start that",
    "3.10.0, 0, 3.6.8-0, 1, the data was written by etcd 3.10. Start that",
    "3.6.0, 0, 3.8.1-0, 0, etcd 3.8 is not known here",
    "3.6.0, 0, latest, 0, etcd latest is not known here",
  })
  void beforeAStartWhatIsKnownToGoWrongIsTold(
      String of, int oldRequests, String image, int code, String words) throws Exception {
    // All of these etcds were killed: the db has everything up to entry 9 only.
    List<byte[]> log = Collections.nCopies(12, EtcdFile.request(oldRequests > 0));
    Path folder = EtcdFile.of(of).writeFolder(parent.resolve("etcd"), log, 12 - oldRequests);
    assertThat(check(folder, image, "--before-start")).as(told).isEqualTo(code);
    String last = told.lines().reduce((_, line) -> line).orElseThrow();
    assertThat(last).contains(words).hasSizeLessThan(SHOWN);
  }

  /** An etcd that only just began, one that was never there, files that nobody can read. */
  @Test
  void whatCannotBeJudgedIsLeftToTheEtcd() throws Exception {
    Path missing = parent.resolve("missing");
    assertThat(check(missing, "3.6.8-0", "--before-start")).isZero();
    assertThat(told).contains("holds no data of an etcd");
    assertThat(missing).doesNotExist();
    assertThat(check(missing, "3.6.8-0")).isNotZero();

    Path empty = Files.createDirectories(parent.resolve("empty/member/snap")).resolve("../..");
    assertThat(check(empty, "3.7.3-0", "--before-start")).isZero();
    assertThat(told).contains("holds no data of an etcd");

    for (byte[] content : List.of(new byte[0], new byte[1 << 16], "no bbolt".getBytes())) {
      Files.write(empty.resolve("member/snap/db"), content);
      assertThat(check(empty, "3.7.3-0", "--before-start")).isZero();
      assertThat(told).contains("cannot be judged").contains("etcd 3.7 judges it");
      assertThat(check(empty, "3.7.3-0")).isNotZero();
    }

    Path broken =
        EtcdFile.of("3.5").writeFolder(parent.resolve("log"), List.of(new byte[] {1, 2}), 0);
    Path segment = broken.resolve("member/wal/0000000000000000-0000000000000000.wal");
    byte[] bytes = Files.readAllBytes(segment);
    bytes[9] ^= 0x7f;
    Files.write(segment, bytes);
    assertThat(check(broken, "3.7.3-0", "--before-start")).as(told).isZero();
  }

  @Test
  void aFolderAndItsFilesStayAsTheyAre() throws Exception {
    Path folder =
        EtcdFile.of("3.5").writeFolder(parent.resolve("etcd"), List.of(EtcdFile.request(true)), 0);
    Path db = folder.resolve("member/snap/db");
    byte[] before = Files.readAllBytes(db);
    assertThat(check(folder, "3.7.3-0", "--before-start")).isEqualTo(1);
    assertThat(Files.readAllBytes(db)).isEqualTo(before);
    try (var files = Files.walk(folder)) {
      assertThat(files.filter(Files::isRegularFile)).hasSize(2);
    }
  }
}
