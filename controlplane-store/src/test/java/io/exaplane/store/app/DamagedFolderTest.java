// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What is told of a folder that no store starts from. */
class DamagedFolderTest {
  private static final int FILES_DAMAGED = 65;

  @TempDir Path folder;

  private String told;

  /** Without files before the damage all that there was is empty. */
  private void damage() throws Exception {
    Files.write(folder.resolve("wal-00000000000000000000-2"), new byte[100]);
  }

  private int run(String... flags) {
    StringWriter err = new StringWriter();
    int code =
        Main.commandLine()
            .setErr(new PrintWriter(err))
            .execute(
                Stream.concat(
                        Stream.of(
                            "--data-dir=" + folder, "--listen-client-urls=http://localhost:0"),
                        Stream.of(flags))
                    .toArray(String[]::new));
    told = err.toString();
    return code;
  }

  @Test
  void damageIsToldInOneLineWithACodeOfItsOwn() throws Exception {
    damage();
    assertThat(run()).isEqualTo(FILES_DAMAGED);
    assertThat(told.lines())
        .singleElement()
        .asString()
        .startsWith("The store does not start: data folder " + folder)
        .contains("wal-00000000000000000000-2 is damaged at byte 0")
        .contains("--repair");
  }

  @Test
  void repairEndsWellAndOnlyOnce() throws Exception {
    damage();
    assertThat(run("--repair")).isEqualTo(CommandLine.ExitCode.OK);
    assertThat(told)
        .contains("wal-00000000000000000000-2 is damaged at byte 0")
        .contains("wal-00000000000000000000-2.damaged")
        .contains("The data folder is repaired; start the store without --repair.");
    List<String> files = files();
    assertThat(run("--repair")).isEqualTo(CommandLine.ExitCode.OK);
    assertThat(told).startsWith("Nothing is damaged, and nothing was changed");
    assertThat(files()).isEqualTo(files);
  }

  @Test
  void whereNothingCanBeKeptNothingIsChanged() throws Exception {
    Files.write(folder.resolve("snapshot-00000000000000000007"), new byte[100]);
    List<String> files = files();
    assertThat(run("--repair")).isEqualTo(FILES_DAMAGED);
    assertThat(told)
        .startsWith("The data folder can't be repaired: data folder " + folder)
        .contains("Restore a backup with 'store restore'");
    assertThat(files()).containsAll(files);
  }

  private List<String> files() throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
