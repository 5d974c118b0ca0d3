// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.wait;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every kind of volume that a pod may find, beside what it is told to find. */
class VolumeGuardTest {
  @TempDir private Path volume;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # mark   | contents | expected | what the guard says
          ''       | none     | ''       | data-id=data-
          ''       | empty    | ''       | data-id=data-
          ''       | files    | ''       | data-id=data-
          data-a   | none     | ''       | data-id=data-
          data-a   | empty    | ''       | data-id=data-
          data-a   | files    | ''       | data-id=data-a
          data-a   | files    | data-a   | data-id=data-a
          data-a   | nested   | data-a   | data-id=data-a
          data-a   | none     | data-a   | held: an empty volume
          data-a   | empty    | data-a   | held: an empty volume
          data-a   | folders  | data-a   | held: an empty volume
          data-b   | files    | data-a   | held: the data of another store (data-b)
          data-b   | none     | data-a   | held: the data of another store (data-b)
          ''       | none     | data-a   | held: an empty volume
          ''       | empty    | data-a   | held: an empty volume
          ''       | files    | data-a   | held: data without the mark exaplane-data-id
          ''       | files    | claim-1  | data-id=claim-1
          ''       | empty    | claim-1  | held: an empty volume
          claim-1  | files    | claim-1  | data-id=claim-1
          claim-1  | files    | ''       | data-id=claim-1
          ''       | none     | accepted:s-1 | data-id=data-s-1
          ''       | files    | accepted:s-1 | data-id=data-s-1
          data-a   | files    | accepted:s-1 | data-id=data-s-1
          data-a   | empty    | accepted:s-1 | data-id=data-s-1
          data-s-1 | files    | accepted:s-1 | data-id=data-s-1
          data-a   | files    | claim-1  | held: the data of another store (data-a)
          """)
  void aStoreStartsOnItsOwnDataOnly(String mark, String contents, String expected, String said)
      throws IOException {
    if (!mark.isEmpty()) {
      Files.writeString(volume.resolve(VolumeGuard.MARK), mark + "\n");
    }
    Path folder = volume.resolve("store");
    switch (contents) {
      case "empty" -> Files.createDirectory(folder);
      case "files" -> Files.writeString(Files.createDirectory(folder).resolve("wal-1"), "x");
      case "folders" -> Files.createDirectories(folder.resolve("member"));
      case "nested" ->
          Files.writeString(Files.createDirectories(folder.resolve("member")).resolve("db"), "x");
      default -> assertThat(contents).isEqualTo("none");
    }
    String answer = new VolumeGuard(volume, folder).check(expected);
    assertThat(answer).startsWith(said);
    boolean passed = said.startsWith(VolumeGuard.PASSED);
    if (!expected.isEmpty()) {
      assertThat(new VolumeGuard(volume, folder).check(expected))
          .as("the second start of the same pod")
          .isEqualTo(answer);
    }
    assertThat(Files.exists(volume.resolve(VolumeGuard.MARK)))
        .as("a volume on which a store started is marked, and no other is touched")
        .isEqualTo(passed || !mark.isEmpty());
    assertThat(volume.resolve(VolumeGuard.MARK + ".partial")).doesNotExist();
  }

  /** Its mark would say that nothing happened, and nobody would read anew. */
  @Test
  void aVolumeThatWasEmptiedAroundItsMarkHasOtherData() throws IOException {
    VolumeGuard guard = new VolumeGuard(volume, volume.resolve("store"));
    String before = guard.check("");
    assertThat(guard.check("")).isNotEqualTo(before);
  }

  @Test
  void twoNewVolumesHaveTwoIds() throws IOException {
    Path other = Files.createDirectory(volume.resolve("other"));
    assertThat(new VolumeGuard(volume, volume.resolve("store")).check(""))
        .isNotEqualTo(new VolumeGuard(other, other.resolve("store")).check(""));
  }

  @Test
  void aMarkThatWasNotWrittenWholeIsNone() throws IOException {
    Files.writeString(volume.resolve(VolumeGuard.MARK), "");
    assertThat(new VolumeGuard(volume, volume.resolve("store")).check("data-a"))
        .isEqualTo("held: an empty volume");
  }
}
