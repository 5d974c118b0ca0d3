// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.store.journal.SeenRevisions;
import io.exaplane.store.journal.SeenRevisions.OlderDataException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A volume that somebody set back holds less than apiservers have shown. */
class RevisionBoundsTest {
  private static final int OLDER_DATA = 66;

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"1,0", "1,1", "4711,4711", "4712,4711"})
  void aStoreThatHasWhatWasSeenStarts(long revision, long least) {
    assertThatCode(() -> new SeenRevisions(0, least).check(revision)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({"1,2", "4710,4711"})
  void oneThatHasLessDoesNot(long revision, long least) {
    assertThatThrownBy(() -> new SeenRevisions(0, least).check(revision))
        .isInstanceOf(OlderDataException.class)
        .hasMessageContaining("newest revision is " + revision)
        .hasMessageContaining("have seen revision " + least)
        .hasMessageContaining("--least-revision=0");
  }

  @Test
  void theProcessTellsItInOneLineWithACodeOfItsOwn() {
    StringWriter err = new StringWriter();
    int code =
        Main.commandLine()
            .setErr(new PrintWriter(err))
            .execute(
                "--data-dir=" + folder.resolve("store"),
                "--listen-client-urls=http://localhost:0",
                "--least-revision=4711");
    assertThat(code).isEqualTo(OLDER_DATA);
    assertThat(err.toString().lines())
        .singleElement()
        .asString()
        .startsWith("The store does not start: data folder " + folder)
        .contains("clients have seen revision 4711");
  }
}
