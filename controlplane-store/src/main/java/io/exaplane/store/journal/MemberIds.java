// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.journal.storage.Storage;
import java.io.IOException;
import java.util.function.LongSupplier;

/**
 * The ids by which clients know a store: they are in every answer, and stay as long as its folder.
 * The other files of the folder name them, too ({@link Owners}).
 */
public record MemberIds(long clusterId, long memberId) {
  static final String FILE = "member";

  /** Of a store that has no folder, or has not begun one. */
  static final MemberIds NONE = new MemberIds(0, 0);

  /**
   * Reads the ids of a folder, or those that its other files name, or makes new ones; and keeps
   * them.
   *
   * @param random any numbers
   * @throws CorruptJournalException if the files are damaged, or of several stores
   */
  public static MemberIds of(Storage storage, LongSupplier random) throws IOException {
    MemberIds ids = kept(storage);
    if (!ids.isKnown()) {
      MemberIds named = new Owners(storage).named();
      ids =
          new MemberIds(
              named.isKnown() ? named.clusterId() : positive(random),
              named.memberId() != 0 ? named.memberId() : positive(random));
      new SmallFile(storage, FILE, 2).write(ids.clusterId(), ids.memberId());
      if (named.isKnown()) {
        System.getLogger(MemberIds.class.getName())
            .log(
                System.Logger.Level.WARNING,
                "the file {0} is missing; the store keeps the cluster id {1}, which its other files"
                    + " name",
                FILE,
                ids);
      }
    }
    return ids;
  }

  /** Ids that no other store has. */
  public static MemberIds random(LongSupplier random) {
    return new MemberIds(positive(random), positive(random));
  }

  /** Those that the folder has a file of, or {@link #NONE}. */
  static MemberIds kept(Storage storage) throws IOException {
    long[] content = new SmallFile(storage, FILE, 2).readOrExplain();
    return content == null ? NONE : new MemberIds(content[0], content[1]);
  }

  boolean isKnown() {
    return clusterId != 0;
  }

  /** The cluster's id as etcdctl writes it. */
  @Override
  public String toString() {
    return Long.toHexString(clusterId);
  }

  private static long positive(LongSupplier random) {
    return Math.max(1, random.getAsLong() & Long.MAX_VALUE);
  }
}
