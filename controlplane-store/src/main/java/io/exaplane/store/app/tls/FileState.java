// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;

/**
 * By what another file is known in the place of one: some tools write files with times of their
 * own, as archives and images do, so the time alone does not tell.
 *
 * @param key of the file system, as the inode; null where there is none
 */
record FileState(FileTime modified, long bytes, Object key) {
  /**
   * Looks at a file, behind any links.
   *
   * @throws IOException in words, if there is none
   */
  static FileState of(Path file) throws IOException {
    try {
      BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
      return new FileState(found.lastModifiedTime(), found.size(), found.fileKey());
    } catch (IOException e) {
      throw inWords(file, e);
    }
  }

  /**
   * A file's text, a character for each byte.
   *
   * @throws IOException in words, if it can't be read
   */
  static String read(Path file) throws IOException {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw inWords(file, e);
    }
  }

  /** Java's own texts are a name alone, or a reason without one. */
  private static IOException inWords(Path file, IOException e) {
    String why =
        switch (e) {
          case NoSuchFileException _ -> "does not exist";
          case AccessDeniedException _ -> "must be readable by the user of the store, and is not";
          default -> "cannot be read: " + e.getMessage();
        };
    return new IOException("%s %s".formatted(file, why), e);
  }
}
