// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal.storage;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Who may read and write a data folder: its owner. A Secret is as readable as the folder is.
 *
 * <p>A group's permissions are taken away and not complained of: kubelet gives them when it mounts
 * a volume for a pod with an {@code fsGroup}.
 */
final class Access {
  private static final Set<PosixFilePermission> OWNERS_FOLDER =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> OWNERS_FILE =
      PosixFilePermissions.fromString("rw-------");

  /** Of new files. */
  static final FileAttribute<?> FILE = PosixFilePermissions.asFileAttribute(OWNERS_FILE);

  private Access() {}

  /** Makes a folder, and those that it is in as the system makes them. */
  static void createFolders(Path path) throws IOException {
    Path parent = path.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Files.createDirectory(path, PosixFilePermissions.asFileAttribute(OWNERS_FOLDER));
  }

  /**
   * Checks a folder and its files.
   *
   * @throws IOException if everybody can write one of them
   */
  static void require(Path folder) throws IOException {
    requireNotForAll(folder);
    for (Path file : files(folder)) {
      requireNotForAll(file);
    }
  }

  private static void requireNotForAll(Path path) throws IOException {
    Set<PosixFilePermission> permissions =
        Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS);
    if (permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
      throw new IOException(
          ("%s can be written by every user of the machine (%s), and must be by its owner alone; make sure"
                  + " that the store's files are unchanged, then take the permission away (chmod o-w), or"
                  + " choose a folder inside of it")
              .formatted(path, PosixFilePermissions.toString(permissions)));
    }
  }

  /** Takes from a folder and its files what others may do, as far as they are this user's. */
  static void tighten(Path folder) throws IOException {
    set(folder, OWNERS_FOLDER);
    for (Path file : files(folder)) {
      set(file, OWNERS_FILE);
    }
  }

  private static void set(Path path, Set<PosixFilePermission> permissions) throws IOException {
    if (!Files.getPosixFilePermissions(path).equals(permissions)) {
      try {
        Files.setPosixFilePermissions(path, permissions);
      } catch (FileSystemException e) {
        // Another user's, as where a volume is mounted; to read and write it is allowed all the
        // same.
      }
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)).toList();
    }
  }
}
