// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A folder of the file system, locked against a second process. */
public final class Folder implements Storage {
  /** Name of the file that a store locks: all that there is in a folder where none wrote. */
  public static final String LOCK = "lock";

  private static final int PIECE = 256 << 10;
  private static final int ZEROES = 1 << 20;

  private final Path path;
  private final FileChannel lockFile;

  private Folder(Path path, FileChannel lockFile) {
    this.path = path;
    this.lockFile = lockFile;
  }

  /**
   * Opens a folder, and makes it if it is not there. Nobody but its owner can read it then.
   *
   * @throws IOException also when another process has it, or all users of the machine can write it
   */
  public static Folder open(Path path) throws IOException {
    if (FileKind.isFolder(path)) {
      Access.require(path);
    } else {
      Access.createFolders(path);
    }
    FileKind.requireFileOrNothing(path.resolve(LOCK));
    FileChannel lockFile =
        FileChannel.open(
            path.resolve(LOCK),
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
            Access.FILE);
    FileLock lock;
    try {
      lock = lockFile.tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null;
    }
    if (lock == null) {
      lockFile.close();
      throw new IOException(
          "data folder %s is in use by another store; stop that one or choose another folder"
              .formatted(path));
    }
    Access.tighten(path);
    return new Folder(path, lockFile);
  }

  @Override
  public List<String> list() throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Override
  public StoredFile create(String name, long bytes) throws IOException {
    Path file = path.resolve(name);
    FileKind.requireNotInTheWay(file);
    FileChannel channel =
        FileChannel.open(
            file,
            Set.of(
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE),
            Access.FILE);
    try {
      // Written, not only sized: a full disk must show here and not at a commit.
      ByteBuffer zeroes = ByteBuffer.allocateDirect((int) Math.min(ZEROES, Math.max(bytes, 1)));
      for (long at = 0; at < bytes; at += zeroes.limit()) {
        zeroes.clear().limit((int) Math.min(zeroes.capacity(), bytes - at));
        writeFully(channel, at, zeroes);
      }
      channel.force(true);
      syncFolder();
      return new ChannelFile(channel);
    } catch (IOException e) {
      channel.close();
      Files.deleteIfExists(file);
      throw e;
    }
  }

  @Override
  public StoredFile open(String name) throws IOException {
    FileKind.requireFileOrNothing(path.resolve(name));
    return new ChannelFile(
        FileChannel.open(path.resolve(name), StandardOpenOption.READ, StandardOpenOption.WRITE));
  }

  @Override
  public void rename(String from, String to) throws IOException {
    Files.move(
        path.resolve(from),
        path.resolve(to),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    syncFolder();
  }

  @Override
  public void delete(String name) throws IOException {
    Path file = path.resolve(name);
    FileKind kind = FileKind.at(file);
    if (kind == FileKind.FOLDER) {
      throw kind.refused(file, "a file");
    }
    Files.deleteIfExists(file);
  }

  private void syncFolder() throws IOException {
    try (FileChannel folder = FileChannel.open(path, StandardOpenOption.READ)) {
      folder.force(true);
    }
  }

  @Override
  public void close() throws IOException {
    lockFile.close();
  }

  @Override
  public String toString() {
    return path.toString();
  }

  private static void writeFully(FileChannel channel, long position, ByteBuffer from)
      throws IOException {
    long at = position;
    while (from.hasRemaining()) {
      at += channel.write(from, at);
    }
  }

  private record ChannelFile(FileChannel channel) implements StoredFile {
    @Override
    public long size() throws IOException {
      return channel.size();
    }

    @Override
    public void read(long position, ByteBuffer into) throws IOException {
      long at = position;
      int end = into.limit();
      while (into.position() < end) {
        // The JDK copies by memory outside of the heap, of the size of the piece.
        into.limit(Math.min(end, into.position() + PIECE));
        int read = channel.read(into, at);
        into.limit(end);
        if (read < 0) {
          return;
        }
        at += read;
      }
    }

    @Override
    public void write(long position, ByteBuffer from) throws IOException {
      writeFully(channel, position, from);
    }

    @Override
    public void force() throws IOException {
      channel.force(false);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
