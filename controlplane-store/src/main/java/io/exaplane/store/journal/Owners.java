// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.journal.storage.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which stores the files of a folder say that they are of. A file that was put in the place of
 * another store's fits, and would be read as if its writes were this store's. Files of versions of
 * the store that named nobody count as the folder's. Used at the start; changes nothing.
 */
final class Owners {
  private static final List<String> OF_LOG = List.of(Segment.PREFIX, Snapshots.PREFIX);
  private static final String NEXT_ACTION =
      "Put the store's own file back, or restore a backup with 'store restore', or start once with"
          + " --repair: the store keeps its complete writes, names the lost ones, and renames files of"
          + " another store to *"
          + Repair.ASIDE;

  private final Storage storage;

  Owners(Storage storage) {
    this.storage = storage;
  }

  /**
   * Checks that all files are of the store whose ids the folder has.
   *
   * @return the ids, or {@link MemberIds#NONE} if the folder has none
   * @throws CorruptJournalException if one is not, or has a name that no store gives
   */
  MemberIds require() throws IOException {
    MemberIds ids = MemberIds.kept(storage);
    requireNames();
    if (ids.isKnown()) {
      for (Map.Entry<String, MemberIds> file : byFile().entrySet()) {
        if (file.getValue().clusterId() != ids.clusterId()) {
          throw foreign(file.getKey(), file.getValue(), ids, MemberIds.FILE).with(NEXT_ACTION);
        }
      }
    }
    return ids;
  }

  /**
   * The ids that the files name beside the one that is for them; NONE if they name none. Snapshots
   * and small files name the cluster alone.
   *
   * @throws CorruptJournalException if they name several
   */
  MemberIds named() throws IOException {
    MemberIds found = MemberIds.NONE;
    String foundIn = null;
    for (Map.Entry<String, MemberIds> file : byFile().entrySet()) {
      MemberIds named = file.getValue();
      if (!found.isKnown()) {
        foundIn = file.getKey();
      } else if (named.clusterId() != found.clusterId()) {
        throw foreign(file.getKey(), named, found, foundIn).with(NEXT_ACTION);
      }
      found = found.memberId() == 0 ? named : found;
    }
    return found;
  }

  /**
   * The files of other stores, as far as that can be told, for a repair. If all other files agree,
   * the one with the ids is the other store's. Without that one, the newest snapshot counts.
   *
   * @param kept the ids that the folder has a file of, or NONE
   */
  List<CorruptJournalException> foreign(MemberIds kept) throws IOException {
    Map<String, MemberIds> files = byFile();
    List<Long> clusters = files.values().stream().map(MemberIds::clusterId).distinct().toList();
    boolean isKeptForeign =
        kept.isKnown() && clusters.size() == 1 && clusters.getFirst() != kept.clusterId();
    if (isKeptForeign) {
      Map.Entry<String, MemberIds> other = files.entrySet().iterator().next();
      return List.of(foreign(MemberIds.FILE, kept, other.getValue(), other.getKey()));
    }
    String keptIn = MemberIds.FILE;
    MemberIds ids = kept;
    for (Map.Entry<String, MemberIds> file : files.entrySet()) {
      boolean isBetter = Snapshots.isSnapshot(file.getKey());
      if (!kept.isKnown() && (!ids.isKnown() || isBetter)) {
        keptIn = file.getKey();
        ids = file.getValue();
      }
    }
    List<CorruptJournalException> foreign = new ArrayList<>();
    for (Map.Entry<String, MemberIds> file : files.entrySet()) {
      if (file.getValue().clusterId() != ids.clusterId()) {
        foreign.add(foreign(file.getKey(), file.getValue(), ids, keptIn));
      }
    }
    return foreign;
  }

  private static CorruptJournalException foreign(
      String file, MemberIds of, MemberIds ids, String named) {
    return CorruptJournalException.misplaced(
        file,
        "the file belongs to another store: it names the cluster id %s, and %s names %s"
            .formatted(of, named, ids));
  }

  /** Who wrote each file that tells, by name. */
  private Map<String, MemberIds> byFile() throws IOException {
    Map<String, MemberIds> found = new TreeMap<>();
    for (String segment : LogReader.segments(storage)) {
      try (Segment opened = Segment.open(storage, segment)) {
        found.put(segment, opened.owner());
      }
    }
    for (String snapshot : Snapshots.names(storage)) {
      found.put(snapshot, new MemberIds(Snapshots.writtenBy(storage, snapshot), 0));
    }
    for (SmallFile file :
        List.of(
            Acknowledged.file(storage, MemberIds.NONE),
            Reservation.file(storage, MemberIds.NONE),
            MovesFile.file(storage, MemberIds.NONE))) {
      found.put(file.name(), new MemberIds(writtenBy(file), 0));
    }
    found.values().removeIf(ids -> !ids.isKnown());
    return found;
  }

  private static long writtenBy(SmallFile file) throws IOException {
    try {
      return file.writtenBy();
    } catch (CorruptJournalException damage) {
      return 0; // who reads its numbers says so
    }
  }

  /** A file of a later version of the store would be missed without a word. */
  void requireNames() throws IOException {
    for (String name : storage.list()) {
      boolean isOfLog = OF_LOG.stream().anyMatch(name::startsWith);
      if (isOfLog
          && !name.endsWith(Repair.ASIDE)
          && !Segment.isSegment(name)
          && !Snapshots.isSnapshot(name)) {
        throw CorruptJournalException.misplaced(
            name,
            "this version of the store gives no file such a name. If a later version wrote the file,"
                + " start that version; else rename the file as it was, or move the file out of the"
                + " folder");
      }
    }
  }
}
