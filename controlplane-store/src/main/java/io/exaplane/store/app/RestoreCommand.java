// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import io.exaplane.store.backup.EtcdBackup;
import io.exaplane.store.backup.EtcdContents;
import io.exaplane.store.backup.EtcdDoubt;
import io.exaplane.store.backup.EtcdFolder;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.SpaceLimits;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.lease.Leases;
import io.exaplane.store.core.memory.Region;
import io.exaplane.store.journal.Journal;
import io.exaplane.store.journal.MemberIds;
import io.exaplane.store.journal.storage.Folder;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code store restore}: makes a data folder of a backup. Flags are named as etcdutl's. */
@Command(
    name = "restore",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Creates a data folder from a backup of this store or of etcd 3.5 to 3.7, as 'etcdctl snapshot"
          + " save' writes it. The command also reads the data folder of such an etcd, and the entries"
          + " of its log that the db lacks; stop that etcd first.",
      "New revisions are higher than those of the backup by --bump-revision, so that no revision is"
          + " used twice. All older revisions are marked as compacted, so that watchers and caches"
          + " read everything again."
    })
final class RestoreCommand implements Runnable {
  /** A day of 10,000 writes a second is less. */
  private static final String BUMP = "1000000000";

  private static final String PARTIAL = "restore.partial";

  /** What a file system makes for itself where it is mounted. */
  private static final String LOST_AND_FOUND = "lost+found";

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "The backup, or an etcd's data folder.")
  private Path file;

  @Option(
      names = "--data-dir",
      required = true,
      description =
          "Folder to create. The folder must not exist, or be empty except for lost+found.")
  private Path dataDir;

  @Option(
      names = "--bump-revision",
      defaultValue = BUMP,
      description =
          "Distance from the newest revision in the backup to the next one. Choose more than the number"
              + " of writes since the backup (default: ${DEFAULT-VALUE}).")
  private long bumpRevision;

  @Option(
      names = "--mark-compacted",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "As etcdutl's flag. All revisions up to the backup's newest are always marked as compacted.")
  private boolean markCompacted = true;

  @Option(
      names = "--skip-hash-check",
      description =
          "Accept a file without a checksum, for example a copy from the data folder of an etcd.")
  private boolean skipHashCheck;

  @Option(
      names = "--drop-auth",
      description =
          "Accept a backup with users and roles of etcd, and leave them out: this store has no users."
              + " Every client that the store accepts may do everything; see --client-cert-auth.")
  private boolean dropAuth;

  @Option(
      names = "--wal-dir",
      description = "Folder of the log, if the etcd of a data folder ran with --wal-dir.")
  private Path walDir;

  @Option(
      names = "--accept",
      split = ",",
      paramLabel = "DOUBT",
      converter = Doubts.class,
      description =
          "Restore although something may be missing. one-member: the data folder belongs to one of several"
              + " members, or to a learner. corrupt-alarm: etcd raised the alarm CORRUPT. v2-keys: keys"
              + " of etcd's API of version 2 are left out.")
  private Set<EtcdDoubt> accepted = EnumSet.noneOf(EtcdDoubt.class);

  /** By the names that the option's description has. */
  static final class Doubts implements CommandLine.ITypeConverter<EtcdDoubt> {
    @Override
    public EtcdDoubt convert(String value) {
      return Stream.of(EtcdDoubt.values())
          .filter(doubt -> doubt.toString().equals(value))
          .findFirst()
          .orElseThrow(
              () ->
                  new CommandLine.TypeConversionException(
                      "'%s' is not one of %s"
                          .formatted(value, Arrays.toString(EtcdDoubt.values()))));
    }
  }

  @Override
  public void run() {
    // Who has seen everything asks for the next revision, and has to be told to read anew.
    if (bumpRevision < 2 || bumpRevision > Long.MAX_VALUE / 2) {
      throw refused("--bump-revision", bumpRevision, "must be 2 to " + Long.MAX_VALUE / 2);
    }
    if (!markCompacted) {
      throw refused(
          "--mark-compacted", false, "must be true: watchers have to read everything again");
    }
    boolean isThere = Files.exists(dataDir);
    if (isThere && !isEmpty(dataDir)) {
      throw refused(
          "--data-dir", dataDir, "is in use; name a folder that does not exist, or an empty one");
    }
    // A folder that is there may be where a volume is mounted: it can't be replaced.
    Path partial =
        isThere
            ? dataDir.resolve(PARTIAL)
            : dataDir.resolveSibling(dataDir.getFileName() + ".partial");
    // Nobody else may use a folder meanwhile that is there.
    try (Folder _ = isThere ? Folder.open(dataDir) : null) {
      delete(partial); // of a restore that was interrupted
      int keys = restore(partial);
      if (isThere) {
        moveOut(partial);
      } else {
        Files.move(partial, dataDir, StandardCopyOption.ATOMIC_MOVE);
        force(dataDir.toAbsolutePath().getParent());
      }
      System.err.printf("restored %d keys into %s%n", keys, dataDir);
    } catch (IOException e) {
      deleteOrTell(partial);
      throw refused("FILE", file, "can't be restored: " + e.getMessage());
    }
  }

  /** Whether a folder has nothing but what a file system or an interrupted restore puts there. */
  private static boolean isEmpty(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .allMatch(Set.of(LOST_AND_FOUND, PARTIAL, Folder.LOCK)::contains);
    } catch (IOException e) {
      return false;
    }
  }

  /** A snapshot is all that there is, and one file comes out whole or not at all. */
  private void moveOut(Path partial) throws IOException {
    try (Stream<Path> files = Files.list(partial)) {
      for (Path each : (Iterable<Path>) files::iterator) {
        if (Journal.isCreated(each.getFileName().toString())) {
          Files.move(each, dataDir.resolve(each.getFileName()), StandardCopyOption.ATOMIC_MOVE);
        }
      }
    }
    force(dataDir);
    delete(partial);
  }

  private static void force(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private int restore(Path folder) throws IOException {
    try (EtcdFolder data = EtcdFolder.of(file, walDir)) {
      return restore(data, folder);
    }
  }

  private int restore(EtcdFolder data, Path folder) throws IOException {
    Path backend = data.backend();
    EtcdBackup backup = new EtcdBackup(backend, !skipHashCheck && backend.equals(file));
    EtcdContents contents = backup.contents();
    requireNoAuth(contents);
    requireNoDoubt(EtcdDoubt.of(data, contents));
    data.requirePlainTail(contents);
    if (contents.alarms().contains("NOSPACE")) {
      System.err.println(
          "left out: the alarm NOSPACE; --quota-backend-bytes is the limit of the store");
    }
    SecureRandom random = new SecureRandom();
    try (Region region = Region.reserve(Main.REGION_BYTES, Region.DEFAULT_SEGMENT_SHIFT);
        Folder storage = Folder.open(folder)) {
      Leases leases = new Leases(random::nextLong);
      Keyspace keyspace =
          new Keyspace(region, leases, KeyClasses.plain(), SpaceLimits.NONE, random.nextLong(), 1);
      int keys =
          backup.restore(keyspace, leases, bumpRevision, System.currentTimeMillis(), data.tail());
      data.tail()
          .ifPresent(
              tail ->
                  System.err.printf(
                      "carried out entries %d to %d of the log, which the db lacked%n",
                      tail.applied() + 1, tail.last()));
      Journal.create(storage, MemberIds.random(random::nextLong), keyspace, leases);
      return keys;
    }
  }

  private void requireNoAuth(EtcdContents contents) throws IOException {
    if (!contents.hasAuth()) {
      return;
    }
    if (!dropAuth) {
      throw new IOException(
          "%s. This store has no users and roles, so every client could do everything. Start the store with --client-cert-auth and --trusted-ca-file, then restore with --drop-auth, which leaves users and roles out"
              .formatted(contents.authText()));
    }
    System.err.printf(
        "left out: %s; every client that the store accepts may do everything%n",
        contents.authText());
  }

  private void requireNoDoubt(Map<EtcdDoubt, String> doubts) throws IOException {
    for (Map.Entry<EtcdDoubt, String> doubt : doubts.entrySet()) {
      if (!accepted.contains(doubt.getKey())) {
        throw new IOException(
            "%s. Or restore the data that exists with --accept=%s"
                .formatted(doubt.getValue(), doubt.getKey()));
      }
      System.err.printf("accepted (%s): %s%n", doubt.getKey(), doubt.getValue());
    }
  }

  private static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.list(folder)) {
        for (Path each : (Iterable<Path>) files::iterator) {
          Files.delete(each);
        }
      }
      Files.delete(folder);
    }
  }

  private static void deleteOrTell(Path folder) {
    try {
      delete(folder);
    } catch (IOException e) {
      System.err.printf("%s is left behind and may be deleted%n", folder);
    }
  }

  private ParameterException refused(String what, Object value, String rule) {
    return new ParameterException(spec.commandLine(), "%s: %s %s".formatted(what, value, rule));
  }
}
