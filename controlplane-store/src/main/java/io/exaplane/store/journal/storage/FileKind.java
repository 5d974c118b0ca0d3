// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal.storage;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * What is at a path. To open a named pipe waits for somebody at its other end, and a device or a
 * folder fails with words that help nobody; so it is looked at before it is opened.
 */
enum FileKind {
  NOTHING("nothing"),
  FILE("a file"),
  FOLDER("a folder"),
  PIPE("a named pipe (FIFO)"),
  SOCKET("a socket"),
  CHARACTER_DEVICE("a character device"),
  BLOCK_DEVICE("a block device"),
  DEAD_LINK("a symbolic link to nothing"),
  LINK("a symbolic link"),
  OTHER("neither file nor folder");

  private static final int TYPE = 0170000;

  private final String words;

  FileKind(String words) {
    this.words = words;
  }

  /** What a path leads to, by links too. */
  static FileKind of(Path path) throws IOException {
    FileKind here = at(path);
    if (here != LINK) {
      return here;
    }
    try {
      return byMode(Files.getAttribute(path, "unix:mode"));
    } catch (AccessDeniedException e) {
      throw e;
    } catch (FileSystemException e) {
      return DEAD_LINK; // its target is not there, or the links go in a circle
    }
  }

  /** What is at a path, be it a link. */
  static FileKind at(Path path) throws IOException {
    try {
      return byMode(Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS));
    } catch (NoSuchFileException e) {
      return NOTHING;
    }
  }

  private static FileKind byMode(Object mode) {
    return switch ((int) mode & TYPE) {
      case 0100000 -> FILE;
      case 0040000 -> FOLDER;
      case 0010000 -> PIPE;
      case 0140000 -> SOCKET;
      case 0020000 -> CHARACTER_DEVICE;
      case 0060000 -> BLOCK_DEVICE;
      case 0120000 -> LINK;
      default -> OTHER;
    };
  }

  /**
   * Checks that a path leads to a folder, or that one can be made there.
   *
   * @return whether the folder is there
   * @throws IOException if the path, or one on the way to it, leads to something else
   */
  static boolean isFolder(Path path) throws IOException {
    Path absolute = path.toAbsolutePath();
    for (int names = 0; names <= absolute.getNameCount(); names++) {
      Path each =
          names == 0 ? absolute.getRoot() : absolute.getRoot().resolve(absolute.subpath(0, names));
      FileKind kind = of(each);
      if (kind == NOTHING) {
        return false;
      }
      if (kind != FOLDER) {
        throw kind.refused(each, "a folder");
      }
    }
    return true;
  }

  /**
   * Checks that a path leads to a file, or to nothing.
   *
   * @throws IOException if it does not; the text names the path, the kind and the next action
   */
  static void requireFileOrNothing(Path path) throws IOException {
    FileKind kind = of(path);
    if (kind != FILE && kind != NOTHING) {
      throw kind.refused(path, "a file");
    }
  }

  /** The same for one that is to be made anew, where a link would lead elsewhere. */
  static void requireNotInTheWay(Path path) throws IOException {
    FileKind kind = at(path);
    if (kind != FILE && kind != NOTHING) {
      throw kind.refused(path, "a file");
    }
  }

  IOException refused(Path path, String wanted) {
    return new IOException(
        "%s is %s, and must be %s; find out who made it, then move it away"
            .formatted(path, words, wanted));
  }

  @Override
  public String toString() {
    return words;
  }
}
