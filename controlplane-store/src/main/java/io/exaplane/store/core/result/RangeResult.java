// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.result;

import org.agrona.collections.LongArrayList;

/**
 * What a Range found: addresses of records, valid as long as the reader stays in its epoch (or the
 * writer changes nothing). Reusable.
 */
public final class RangeResult {
  public final LongArrayList records = new LongArrayList();
  public long revision;
  public long count;
  public boolean more;
  public boolean keysOnly;

  public void clear() {
    records.clear();
    revision = 0;
    count = 0;
    more = false;
    keysOnly = false;
  }
}
