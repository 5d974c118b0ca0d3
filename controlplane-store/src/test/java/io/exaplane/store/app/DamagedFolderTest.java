// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is told of a folder that no store starts from. */
class DamagedFolderTest {
  private static final int FILES_DAMAGED = 65;

  @TempDir Path folder;

  @Test
  void damageIsToldInOneLineWithACodeOfItsOwn() throws Exception {
    Files.write(folder.resolve("wal-00000000000000000000-2"), new byte[100]);
    StringWriter told = new StringWriter();
    int code = start(told);
    assertThat(code).isEqualTo(FILES_DAMAGED);
    assertThat(told.toString().lines())
        .singleElement()
        .asString()
        .startsWith("The store does not start: data folder " + folder)
        .contains("wal-00000000000000000000-2 is damaged at byte 0")
        .contains("--repair");
  }

  private int start(StringWriter told) {
    return Main.commandLine()
        .setErr(new PrintWriter(told))
        .execute("--data-dir=" + folder, "--listen-client-urls=http://localhost:0");
  }
}
