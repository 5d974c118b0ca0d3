// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.journal.storage.Storage;
import java.io.IOException;
import java.util.function.LongSupplier;

/**
 * The ids by which clients know a store: they are in every answer, and stay as long as its folder.
 */
public record MemberIds(long clusterId, long memberId) {
  static final String FILE = "member";

  /**
   * Reads the ids of a folder, or makes and keeps new ones.
   *
   * @param random any numbers
   */
  public static MemberIds of(Storage storage, LongSupplier random) throws IOException {
    SmallFile file = new SmallFile(storage, FILE, 2);
    long[] content = file.readOrExplain();
    if (content == null) {
      content = new long[] {positive(random), positive(random)};
      file.write(content);
    }
    return new MemberIds(content[0], content[1]);
  }

  private static long positive(LongSupplier random) {
    return Math.max(1, random.getAsLong() & Long.MAX_VALUE);
  }
}
