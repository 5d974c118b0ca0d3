// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.request;

import io.exaplane.store.core.KeyRange;

/**
 * etcdserverpb.RangeRequest. Reusable; numbers are as on the wire. Serializable is left out: every
 * read is linearizable, and costs no more.
 */
public final class RangeRequest {
  public static final int ORDER_NONE = 0;
  public static final int ORDER_ASCEND = 1;
  public static final int ORDER_DESCEND = 2;
  public static final int TARGET_KEY = 0;
  public static final int TARGET_VERSION = 1;
  public static final int TARGET_CREATE = 2;
  public static final int TARGET_MOD = 3;
  public static final int TARGET_VALUE = 4;

  public final Slice key = new Slice();
  public final Slice rangeEnd = new Slice();
  public long limit;
  public long revision;
  public int sortOrder;
  public int sortTarget;
  public boolean keysOnly;
  public boolean countOnly;
  public long minModRevision;
  public long maxModRevision;
  public long minCreateRevision;
  public long maxCreateRevision;

  public void clear() {
    key.clear();
    rangeEnd.clear();
    limit = 0;
    revision = 0;
    sortOrder = ORDER_NONE;
    sortTarget = TARGET_KEY;
    keysOnly = false;
    countOnly = false;
    minModRevision = 0;
    maxModRevision = 0;
    minCreateRevision = 0;
    maxCreateRevision = 0;
  }

  public KeyRange range() {
    return KeyRange.of(key.copy(), rangeEnd.copy());
  }

  /** Whether the answer has keys in their order. */
  public boolean isInOrderOfKeys() {
    return sortTarget == TARGET_KEY && sortOrder != ORDER_DESCEND;
  }

  /** The same filters and nothing else; it stays as it is. */
  public RangeRequest filters() {
    RangeRequest filters = new RangeRequest();
    filters.minModRevision = minModRevision;
    filters.maxModRevision = maxModRevision;
    filters.minCreateRevision = minCreateRevision;
    filters.maxCreateRevision = maxCreateRevision;
    return filters;
  }

  public boolean hasRevisionFilter() {
    return minModRevision != 0
        || maxModRevision != 0
        || minCreateRevision != 0
        || maxCreateRevision != 0;
  }
}
