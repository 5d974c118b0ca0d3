// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The data folder of an etcd that was stopped. Its backend file may be behind its log: what the log
 * has more is carried out, or words say what to do.
 *
 * @param backend its file with keys, as bbolt keeps it
 * @param oldRequests entries of its log on which etcd 3.7 ends
 * @param memberId of the member whose folder it is; 0 of a backup
 * @param tail what its log has more than the backend file, if it has
 * @param keysOfVersion2 writes and keys of the API of version 2, which are not in the backend file
 */
public record EtcdFolder(
    Path backend, int oldRequests, long memberId, Optional<EtcdTail> tail, int keysOfVersion2) {
  private static final Path BACKEND = Path.of("snap", "db");

  /**
   * Looks at a data folder, or at a backup, which has no log.
   *
   * @param path the folder, its {@code member}, or a backup
   * @param walDir folder of the log, of an etcd that ran with {@code --wal-dir}; else null
   * @throws IOException if it is no such folder, an etcd runs on it, or its parts do not belong
   *     together
   */
  public static EtcdFolder of(Path path, Path walDir) throws IOException {
    if (!Files.isDirectory(path)) {
      requireNoPartOfFolder(path);
      return new EtcdFolder(path, 0, 0, Optional.empty(), 0);
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
    long applied = EtcdContents.appliedIndex(backend);
    requireWhole(path, applied, log);
    Optional<EtcdTail> tail =
        log.lastIndex() > applied
            ? Optional.of(new EtcdTail(path, log.segments(), applied, log.lastIndex()))
            : Optional.empty();
    int keys = log.keysOfVersion2() + Version2Store.keys(member.resolve("snap"));
    return new EtcdFolder(backend, log.oldRequests(), log.memberId(), tail, keys);
  }

  /**
   * Requires that what the log has more can be carried out by somebody else than this etcd.
   *
   * @throws IOException if it can't, with the next action
   */
  public void requirePlainTail(EtcdContents contents) throws IOException {
    if (tail.isPresent()) {
      tail.get().requirePlain(contents, memberId);
    }
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

  /** The log goes on where the backend file ends, or before. */
  private static void requireWhole(Path path, long applied, EtcdLog log) throws IOException {
    if (log.segments().isEmpty()) {
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
        new EtcdFolder(
            backend, log.oldRequests(), log.memberId(), Optional.empty(), log.keysOfVersion2()));
  }
}
