// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.backup.EtcdSnapshot;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.RetainedVersions;
import io.exaplane.store.core.RevisionPins;
import io.exaplane.store.core.SpaceLimits;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.lease.Leases;
import io.exaplane.store.core.memory.Region;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Where a backup may be restored to. */
class RestoreCommandTest {
  @TempDir Path parent;
  private Path backup;
  private String told;

  @BeforeEach
  void takeBackup() throws Exception {
    backup = parent.resolve("backup.db");
    try (Region region = Region.reserve(1 << 24, 16)) {
      Leases leases = new Leases(() -> 1);
      Keyspace keyspace = new Keyspace(region, leases, KeyClasses.plain(), SpaceLimits.NONE, 1, 2);
      byte[] key = "/key".getBytes(StandardCharsets.UTF_8);
      keyspace.put(key, 0, key.length, key, 0, key.length, 0);
      keyspace.commit();
      keyspace.publish();
      try (RetainedVersions versions =
              new RetainedVersions(keyspace, keyspace.view(), new RevisionPins());
          FileChannel out =
              FileChannel.open(backup, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        new EtcdSnapshot(
                keyspace.memory(), versions, keyspace.reclaimer().newReader(), List.of(), 0)
            .write(out::write);
      }
    }
  }

  private int restore(Path folder) {
    return restore(folder, "--skip-hash-check");
  }

  private int restore(Path folder, String flag) {
    StringWriter err = new StringWriter();
    int code =
        Main.commandLine()
            .setErr(new PrintWriter(err))
            .execute("restore", backup.toString(), "--data-dir=" + folder, flag);
    told = err.toString();
    return code;
  }

  private static List<String> files(Path folder) throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /** A new folder; an empty one; where a volume is mounted; where a restore was interrupted. */
  @ParameterizedTest
  @ValueSource(strings = {"", ".", "lost+found/", "restore.partial/snapshot.partial", "lock"})
  void anEmptyPlaceTakesIt(String there) throws Exception {
    Path folder = parent.resolve("store");
    if (!there.isEmpty()) {
      Files.createDirectories(folder.resolve(there).getParent().resolve("."));
      Files.createDirectories(folder);
      if (there.endsWith("/")) {
        Files.createDirectories(folder.resolve(there));
      } else if (!there.equals(".")) {
        Files.createFile(folder.resolve(there));
      }
    }
    assertThat(restore(folder)).as(told).isEqualTo(CommandLine.ExitCode.OK);
    assertThat(files(folder)).contains("snapshot-00000000000000000001");
    assertThat(files(folder)).doesNotContain("restore.partial");
    assertThat(files(folder).contains("lost+found")).isEqualTo(there.startsWith("lost+found"));
    assertThat(Files.getPosixFilePermissions(folder))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
  }

  @Test
  void oneThatIsInUseDoesNot() throws Exception {
    Path folder = parent.resolve("store");
    assertThat(restore(folder)).isEqualTo(CommandLine.ExitCode.OK);
    List<String> before = files(folder);
    assertThat(restore(folder)).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(told).contains("is in use");
    assertThat(files(folder)).isEqualTo(before);
  }

  /** What people name instead of a backup; each is told what it is, and what to do. */
  @ParameterizedTest
  @CsvSource({
    "'', is empty; take another backup",
    "1f8b0800, is compressed; unpack it (gzip -d)",
    "28b52ffd24, is compressed; unpack it (zstd -d)",
    "504b0304, is compressed; unpack it (unzip)",
    "00112233, has 4 bytes and a backup has a multiple of 512",
    "folder, is a folder without member/snap/db",
    "nothing, does not exist; name a backup",
    "/dev/null, must be a file or a folder"
  })
  void whatIsNoBackupIsNamed(String content, String words) throws Exception {
    switch (content) {
      case "nothing" -> Files.delete(backup);
      case "/dev/null" -> backup = Path.of(content);
      case "folder" -> backup = Files.createDirectory(parent.resolve("folder"));
      default -> Files.write(backup, HexFormat.of().parseHex(content));
    }
    assertThat(restore(parent.resolve("store"), "--mark-compacted"))
        .isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(told.replace(",", "")).contains(backup.toString(), words).hasLineCount(1);
    assertThat(restore(parent.resolve("store"), "--mark-compacted=false"))
        .isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(told).contains("--mark-compacted: false must be true");
  }

  @Test
  void aBadBackupLeavesThePlaceAsItWas() throws Exception {
    Files.write(backup, new byte[10_000]);
    Path folder = parent.resolve("store");
    Files.createDirectories(folder.resolve("lost+found"));
    assertThat(restore(folder)).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(files(folder)).doesNotContain("restore.partial").noneMatch(n -> n.contains("snap"));
  }
}
