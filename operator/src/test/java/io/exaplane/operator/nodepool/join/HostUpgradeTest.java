// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.join;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long a host waits for the file of its administrator that brings a kubelet. */
class HostUpgradeTest {
  private static final String BEGIN = "cat <<'PROGRAM'\n";
  private static final int MOST_SECONDS = 20;

  @TempDir Path folder;

  /** A program that the file left behind goes with the test. */
  @AfterEach
  void endWhatWasLeft() throws IOException {
    Path left = folder.resolve("left");
    if (Files.exists(left)) {
      ProcessHandle.of(Long.parseLong(Files.readString(left).strip()))
          .ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  /** What the host says of an upgrade file with that text, after one second at most. */
  private String bring(String file) throws IOException, InterruptedException {
    Path upgrade = folder.resolve("upgrade");
    Files.writeString(upgrade, "#!/bin/sh\n" + file);
    Files.setPosixFilePermissions(upgrade, PosixFilePermissions.fromString("rwx------"));
    String text = JoinScript.part("heartbeat.sh");
    String program = text.substring(text.indexOf(BEGIN) + BEGIN.length(), text.indexOf("\nWAIT=5"));
    String tried =
        program
                .replace("/etc/exaplane/upgrade", upgrade.toString())
                .replace("STATE=/etc/kubernetes/exaplane", "STATE=" + folder)
                .replace(" 900 ", " 1 ")
                .replace("-k 30", "-k 1")
            + "\nhas() { return 1; }\nannotate() { :; }\norder=x\nbring 1.37.2\n";
    Path said = folder.resolve("said");
    Process shell =
        new ProcessBuilder("sh", "-c", tried, "sh", "https://[::1]:1", "n", "p", "k", "f", "a", "b")
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    boolean ended = shell.waitFor(MOST_SECONDS, TimeUnit.SECONDS);
    shell.destroyForcibly();
    assertThat(ended).as("the end within %d s".formatted(MOST_SECONDS)).isTrue();
    return Files.readString(said, UTF_8);
  }

  @Test
  void aProgramThatTheFileLeavesBehindIsNotWaitedFor() throws Exception {
    String said =
        bring("sleep 300 &\necho $! >'%s'\necho no package\n".formatted(folder + "/left"));
    assertThat(said).contains("1.37.2: no package").doesNotContain("exit code");
  }

  @Test
  void aFileThatDoesNotHeedTheRequestToEndIsEnded() throws Exception {
    assertThat(bring("trap '' TERM\necho stuck\nsleep 40\n")).contains("exit code 137: stuck");
  }

  @Test
  void theEndOfWhatTheFileSaysIsToldAndNobodyElseReadsTheRest() throws Exception {
    String said = bring("i=0; while [ $i -lt 500 ]; do echo line $i; i=$((i + 1)); done; exit 3\n");
    assertThat(said).contains("1.37.2: exit code 3: ", "line 499").doesNotContain("line 1 ");
    assertThat(said.strip().length()).isLessThan(250);
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(folder.resolve("upgrade.log"))))
        .isEqualTo("rw-------");
  }
}
