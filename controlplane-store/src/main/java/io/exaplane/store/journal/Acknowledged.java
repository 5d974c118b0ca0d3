// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.journal.storage.Storage;
import java.io.IOException;

/**
 * The number of a durable frame, kept beside the log, by which the loss of the log's end shows that
 * looks like a frame that was never written: of whole segments, of what was overwritten by zeroes.
 * Noted once in each segment and when the store ends.
 */
final class Acknowledged {
  static final String FILE = "log-acknowledged";

  private final SmallFile file;
  private long noted;

  /**
   * @param ids of the store
   */
  Acknowledged(Storage storage, MemberIds ids) throws IOException {
    this.file = file(storage, ids);
    this.noted = read(storage);
  }

  static SmallFile file(Storage storage, MemberIds ids) {
    return new SmallFile(storage, FILE, 1, ids);
  }

  /** The number of the frame, or {@link LogReader#NONE}. */
  static long read(Storage storage) throws IOException {
    long[] content = file(storage, MemberIds.NONE).read();
    return content == null ? LogReader.NONE : content[0];
  }

  /** Notes that a frame is durable; so is the note on return. */
  void note(long sequence) throws IOException {
    if (sequence > noted) {
      file.write(sequence);
      noted = sequence;
    }
  }
}
