// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The data folder of an etcd that was stopped. Its backend file may be behind its log, of which
 * only an etcd makes something: then it says what to do.
 *
 * @param backend its file with keys, as bbolt keeps it
 * @param oldRequests entries of its log on which etcd 3.7 ends
 */
public record EtcdFolder(Path backend, int oldRequests) {
  private static final Path BACKEND = Path.of("snap", "db");
  private static final Path LOCKS = Path.of("/proc/locks");

  /**
   * Looks at a data folder, or at a backup, which has no log.
   *
   * @throws IOException if it is no such folder, an etcd runs on it, or its log has more than its
   *     backend file
   */
  public static EtcdFolder of(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      return new EtcdFolder(path, 0);
    }
    Path member = path.resolve("member");
    Path backend = member.resolve(BACKEND);
    if (!Files.isRegularFile(backend)) {
      throw new IOException(
          "%s is a folder without member/%s, so it is not an etcd's; name a backup or an etcd's data folder"
              .formatted(path, BACKEND));
    }
    if (isLocked(backend)) {
      throw new IOException(
          "an etcd runs on %s; stop it, or take a backup with 'etcdctl snapshot save'"
              .formatted(path));
    }
    long applied = EtcdContents.appliedIndex(backend);
    EtcdLog log = EtcdLog.of(member);
    if (log.lastIndex() > applied) {
      throw new IOException(
          "the log of %s goes on to entry %d, its db to %d: this etcd was not stopped in good order; start it once more with its own version, then stop it with SIGTERM, or take a backup with 'etcdctl snapshot save'"
              .formatted(path, log.lastIndex(), applied));
    }
    return new EtcdFolder(backend, log.oldRequests());
  }

  /**
   * Looks at a data folder as the etcd does that is about to start on it: that its log goes on
   * behind its db, as after any kill, is nothing to that etcd.
   *
   * @return nothing if no etcd was here yet, or only for a moment
   * @throws IOException if the log can't be read
   */
  public static Optional<EtcdFolder> beforeStart(Path path) throws IOException {
    Path member = path.resolve("member");
    Path backend = member.resolve(BACKEND);
    return Files.isRegularFile(backend)
        ? Optional.of(new EtcdFolder(backend, EtcdLog.of(member).oldRequests()))
        : Optional.empty();
  }

  /** bbolt locks its file by flock. */
  private static boolean isLocked(Path file) throws IOException {
    if (!Files.isReadable(LOCKS)) {
      return false;
    }
    String inode = ":" + Files.getAttribute(file, "unix:ino") + " ";
    try (Stream<String> locks = Files.lines(LOCKS)) {
      return locks.anyMatch(line -> line.contains(" FLOCK ") && line.contains(inode));
    }
  }
}
