// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.journal.storage.Storage;
import java.io.IOException;

/** The file that tells which Kinds came to a store and which left it. Read and replaced whole. */
public final class MovesFile {
  static final String FILE = "moves";

  private final SmallFile file;

  /**
   * @param ids of the store
   */
  public MovesFile(Storage storage, MemberIds ids) {
    this.file = file(storage, ids);
  }

  static SmallFile file(Storage storage, MemberIds ids) {
    return new SmallFile(storage, FILE, SmallFile.BYTES, ids);
  }

  /**
   * What was written last; null if nothing ever was.
   *
   * @throws CorruptJournalException if that is not what the file has; the text names the next
   *     action
   */
  public byte[] read() throws IOException {
    try {
      return file.readBytes();
    } catch (CorruptJournalException damage) {
      throw damage.with(
          "The file tells which Kinds were moved to another store. Restore a backup with 'store"
              + " restore', or start once with --repair, which puts the file aside: then the store"
              + " serves again every Kind whose keys it has. Before that, check with"
              + " spec.storage.routes that no kube-apiserver asks this store for a moved Kind");
    }
  }

  /** Replaces the file; durable on return. */
  public void write(byte[] content) throws IOException {
    file.writeBytes(content);
  }

  /**
   * Says that the content, which is whole, is of a version of the store that knows more.
   *
   * @param what this version does not know, as "the form 2"
   */
  public static CorruptJournalException later(String what) {
    return CorruptJournalException.misplaced(
        FILE,
        "the file has %s, which this version of the store does not know; start the version that wrote the file"
            .formatted(what));
  }
}
