// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.backup;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The data folder of an etcd that was stopped. Its backend file may be behind its log: what the log
 * has more is carried out, or words say what to do. Until the folder is closed, no etcd can write
 * its file. For one thread.
 *
 * @param backend its file with keys, as bbolt keeps it
 * @param oldRequests entries of its log on which etcd 3.7 ends
 * @param memberId of the member whose folder it is; 0 of a backup
 * @param tail what its log has more than the backend file, if it has
 * @param keysOfVersion2 writes and keys of the API of version 2, which are not in the backend file
 * @param lock which keeps an etcd off the file
 */
public record EtcdFolder(
    Path backend,
    int oldRequests,
    long memberId,
    Optional<EtcdTail> tail,
    int keysOfVersion2,
    Closeable lock)
    implements Closeable {
  private static final Closeable NO_LOCK = () -> {};
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
      BackupFile.require(path);
      requireNoPartOfFolder(path);
      return new EtcdFolder(path, 0, 0, Optional.empty(), 0, NO_LOCK);
    }
    Path member = Files.isRegularFile(path.resolve(BACKEND)) ? path : path.resolve("member");
    Path backend = member.resolve(BACKEND);
    if (!Files.isRegularFile(backend)) {
      throw new IOException(
          "%s is a folder without member/%s, so it is not an etcd's; name a backup or an etcd's data folder"
              .formatted(path, BACKEND));
    }
    Path wal = member.resolve("wal");
    if (walDir != null) {
      requireOneLog(wal, walDir);
      wal = walDir;
    }
    Flock lock =
        Flock.shared(backend)
            .orElseThrow(
                () ->
                    new IOException(
                        "an etcd runs on %s; stop it, or take a backup with 'etcdctl snapshot save'"
                            .formatted(path)));
    try {
      return locked(path, member, wal, lock);
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private static EtcdFolder locked(Path path, Path member, Path wal, Flock lock)
      throws IOException {
    Path backend = member.resolve(BACKEND);
    EtcdLog log = EtcdLog.of(member.resolve("snap"), wal);
    long applied = EtcdContents.appliedIndex(backend);
    requireOfOneTime(path, applied, log);
    requireWhole(path, applied, log);
    Optional<EtcdTail> tail =
        log.lastIndex() > applied
            ? Optional.of(new EtcdTail(path, log.segments(), applied, log.lastIndex()))
            : Optional.empty();
    int keys = log.keysOfVersion2() + Version2Store.keys(member.resolve("snap"));
    return new EtcdFolder(backend, log.oldRequests(), log.memberId(), tail, keys, lock);
  }

  /** An etcd can start again on it. */
  @Override
  public void close() throws IOException {
    lock.close();
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
  private static void requireOfOneTime(Path path, long applied, EtcdLog log) throws IOException {
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
          "the log of %s begins with entry %d, its db ends with %d: db and log are from different times; restore both from the same copy, or restore a backup"
              .formatted(path, log.firstIndex(), applied));
    }
    // etcd writes an entry into the log before it carries the entry out.
    long last = Math.max(log.lastIndex(), log.snapshotIndex());
    if (log.headless().isEmpty() && last < applied) {
      throw new IOException(
          "the log of %s ends with entry %d, its db with %d: the log is older than the db, or its last segment is missing; put both back from the same copy, or restore a backup"
              .formatted(path, last, applied));
    }
  }

  /** Nothing of the log is missing, as after a copy that was interrupted. */
  private static void requireWhole(Path path, long applied, EtcdLog log) throws IOException {
    if (log.headless().isPresent()) {
      throw new IOException(
          "%s does not begin as etcd begins each segment of its log: the file is empty, or its copy was interrupted; put db and log back from the same copy, or restore a backup"
              .formatted(log.headless().get()));
    }
    if (log.memberId() == 0) {
      throw new IOException(
          "the log of %s has no member id, which every etcd writes; put db and log back from the same copy, or restore a backup"
              .formatted(path));
    }
    boolean isKnownToEnd = log.lastIndex() <= applied && log.mayLackRoom();
    if (!log.endsInRoom() && !isKnownToEnd) {
      throw new IOException(
          "%s ends without the room that etcd keeps behind the last entry: the file breaks off, or a newer segment is missing; put db and log back from the same copy, or start an etcd of the same version on the folder and take a backup with 'etcdctl snapshot save'"
              .formatted(log.segments().getLast()));
    }
  }

  /** Of two logs, only one is that of the db. */
  private static void requireOneLog(Path wal, Path walDir) throws IOException {
    boolean isSame = Files.exists(wal) && Files.exists(walDir) && Files.isSameFile(wal, walDir);
    if (!isSame && EtcdLog.isIn(wal)) {
      throw new IOException(
          "--wal-dir: %s is not the only log, %s has one, too; leave out --wal-dir if the etcd ran without --wal-dir, else move %s away"
              .formatted(walDir, wal, wal));
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
            backend,
            log.oldRequests(),
            log.memberId(),
            Optional.empty(),
            log.keysOfVersion2(),
            NO_LOCK));
  }
}
