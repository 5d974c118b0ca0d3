// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may read and write the files of a store. */
class FolderTest {
  @TempDir Path parent;

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private static void chmod(Path path, String mode) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  @Test
  void onlyTheOwnerMayLookIntoNewFiles() throws Exception {
    Path path = parent.resolve("deep/store");
    try (Folder folder = Folder.open(path)) {
      folder.create("some", 5_000).close();
      folder.rename("some", "other");
      assertThat(mode(path)).isEqualTo("rwx------");
      for (String name : folder.list()) {
        assertThat(mode(path.resolve(name))).as(name).isEqualTo("rw-------");
      }
    }
  }

  /** As stores made them before, and as kubelet does for a pod's group. */
  @ParameterizedTest
  @ValueSource(strings = {"rwxr-xr-x,rw-r--r--", "rwxrwx---,rw-rw----", "rwx------,rw-------"})
  void whatOthersMayIsTakenAway(String modes) throws Exception {
    Path path = Files.createDirectory(parent.resolve("store"));
    Path file = Files.createFile(path.resolve("wal"));
    Path system = Files.createDirectory(path.resolve("lost+found"));
    chmod(path, modes.split(",")[0]);
    chmod(file, modes.split(",")[1]);
    String before = mode(system);
    Folder.open(path).close();
    assertThat(mode(path)).isEqualTo("rwx------");
    assertThat(mode(file)).isEqualTo("rw-------");
    assertThat(mode(system)).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rwxrwxrwx,rw-------", "rwx----w-,rw-------", "rwx------,rw-rw-rw-"})
  void whatEverybodyMayWriteIsRefused(String modes) throws Exception {
    Path path = Files.createDirectory(parent.resolve("store"));
    Path file = Files.createFile(path.resolve("wal"));
    chmod(path, modes.split(",")[0]);
    chmod(file, modes.split(",")[1]);
    assertThatThrownBy(() -> Folder.open(path))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("can be written by every user of the machine")
        .hasMessageContaining("chmod o-w");
    assertThat(mode(path)).isEqualTo(modes.split(",")[0]);
    assertThat(Files.list(path)).containsExactly(file);
  }

  /** While a store runs, too, nothing is opened that somebody put in the way. */
  @Test
  void aLinkInTheWayOfANewFileIsNotFollowed() throws Exception {
    Path other = Files.writeString(parent.resolve("other"), "content");
    Path path = parent.resolve("store");
    try (Folder folder = Folder.open(path)) {
      Files.createSymbolicLink(path.resolve("new"), other);
      assertThatThrownBy(() -> folder.create("new", 0))
          .hasMessageContaining("new is a symbolic link, and must be a file");
      folder.delete("new");
      folder.create("new", 0).close();
    }
    assertThat(other).hasContent("content");
  }
}
