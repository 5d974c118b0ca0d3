// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The data folder of an etcd that was stopped. Its backend file may be behind its log, of which
 * only an etcd makes something: then it says what to do.
 *
 * @param backend its file with keys, as bbolt keeps it
 * @param oldRequests entries of its log on which etcd 3.7 ends
 * @param memberId of the member whose folder it is; 0 of a backup
 * @param keysOfVersion2 writes and keys of the API of version 2, which are not in the backend file
 */
public record EtcdFolder(Path backend, int oldRequests, long memberId, int keysOfVersion2) {
  private static final Path BACKEND = Path.of("snap", "db");

  /**
   * Looks at a data folder, or at a backup, which has no log.
   *
   * @param path the folder, its {@code member}, or a backup
   * @param walDir folder of the log, of an etcd that ran with {@code --wal-dir}; else null
   * @throws IOException if it is no such folder, an etcd runs on it, or its log has more than its
   *     backend file
   */
  public static EtcdFolder of(Path path, Path walDir) throws IOException {
    if (!Files.isDirectory(path)) {
      requireNoPartOfFolder(path);
      return new EtcdFolder(path, 0, 0, 0);
    }
    Path member = Files.isRegularFile(path.resolve(BACKEND)) ? path : path.resolve("member");
    Path backend = member.resolve(BACKEND);
    if (!Files.isRegularFile(backend)) {
      throw new IOException(
          "%s is a folder without member/%s, so it is not an etcd's; name a backup or an etcd's data folder"
              .formatted(path, BACKEND));
    }
    if (Flock.isHeld(backend)) {
      throw new IOException(
          "an etcd runs on %s; stop it, or take a backup with 'etcdctl snapshot save'"
              .formatted(path));
    }
    EtcdLog log =
        EtcdLog.of(member.resolve("snap"), walDir == null ? member.resolve("wal") : walDir);
    requireWhole(path, EtcdContents.appliedIndex(backend), log);
    int keys = log.keysOfVersion2() + Version2Store.keys(member.resolve("snap"));
    return new EtcdFolder(backend, log.oldRequests(), log.memberId(), keys);
  }

  /** A file out of a folder would go past every check of the folder. */
  private static void requireNoPartOfFolder(Path file) throws IOException {
    Path folder = file.toAbsolutePath().normalize().getParent();
    if (file.endsWith(BACKEND.getFileName())
        && folder.endsWith(BACKEND.getParent())
        && Files.isDirectory(folder.resolveSibling("wal"))) {
      throw new IOException(
          "%s is a part of a data folder, whose log may have more; name the folder %s"
              .formatted(file, folder.getParent()));
    }
  }

  /** The backend file has what the log and the snapshots have. */
  private static void requireWhole(Path path, long applied, EtcdLog log) throws IOException {
    if (!log.hasSegments()) {
      throw new IOException(
          "%s has no log, which may have more than its db; name the folder of the log with --wal-dir if the etcd ran with --wal-dir, else restore a backup"
              .formatted(path));
    }
    if (log.snapshotIndex() > applied) {
      throw new IOException(
          "%s has a snapshot of entry %d, its db goes to %d: this etcd was stopped while the member got its data from another one; take a backup of another member with 'etcdctl snapshot save'"
              .formatted(path, log.snapshotIndex(), applied));
    }
    if (log.firstIndex() > applied + 1) {
      throw new IOException(
          "the log of %s begins with entry %d, its db ends with %d: db and log are not of one time; put both back from the same copy, or restore a backup"
              .formatted(path, log.firstIndex(), applied));
    }
    if (log.lastIndex() > applied) {
      throw new IOException(
          "the log of %s goes on to entry %d, its db to %d: this etcd was not stopped in good order; start it once more with its own version, then stop it with SIGTERM, or take a backup with 'etcdctl snapshot save'"
              .formatted(path, log.lastIndex(), applied));
    }
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
    if (!Files.isRegularFile(backend)) {
      return Optional.empty();
    }
    EtcdLog log = EtcdLog.of(member.resolve("snap"), member.resolve("wal"));
    return Optional.of(
        new EtcdFolder(backend, log.oldRequests(), log.memberId(), log.keysOfVersion2()));
  }
}
