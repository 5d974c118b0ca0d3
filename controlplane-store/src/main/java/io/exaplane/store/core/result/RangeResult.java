// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.result;

import org.agrona.collections.LongArrayList;

/**
 * What a Range found: addresses of records, valid as long as the reader stays in its epoch (or the
 * writer changes nothing). Reusable.
 */
public final class RangeResult {
  /** A larger list is let go. */
  private static final int KEPT_RECORDS = 1 << 14;

  public final LongArrayList records = new LongArrayList();
  public long revision;
  public long count;
  public boolean more;
  public boolean keysOnly;

  public void clear() {
    clear(records);
    revision = 0;
    count = 0;
    more = false;
    keysOnly = false;
  }

  /** Empties a list of records; what a rare large answer took does not stay in memory. */
  static void clear(LongArrayList records) {
    records.clear();
    if (records.capacity() > KEPT_RECORDS) {
      records.trimToSize();
    }
  }
}
