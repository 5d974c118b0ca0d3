// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.execute;

import io.exaplane.store.core.KeyRange;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.RangeReader;
import io.exaplane.store.core.View;
import io.exaplane.store.core.memory.KeyValues;
import io.exaplane.store.core.memory.Records;
import io.exaplane.store.core.request.Compare;
import io.exaplane.store.core.request.Reusable;
import io.exaplane.store.core.request.Slice;
import java.lang.foreign.MemorySegment;

/** Tells whether a Txn's comparisons hold. Used by the writer. */
final class Comparisons {
  private static final Slice NOTHING = new Slice();

  private final Keyspace keyspace;
  private final MemorySegment memory;
  private final RangeReader reader;

  Comparisons(Keyspace keyspace) {
    this.keyspace = keyspace;
    this.memory = keyspace.memory();
    this.reader = new RangeReader(keyspace);
  }

  boolean hold(Reusable<Compare> compares) {
    for (int i = 0; i < compares.size(); i++) {
      Compare compare = compares.get(i);
      if (!(compare.rangeEnd.isEmpty() ? holdsForKey(compare) : holdsForRange(compare))) {
        return false;
      }
    }
    return true;
  }

  private boolean holdsForKey(Compare compare) {
    return holds(
        compare, keyspace.newest(compare.key.array(), compare.key.offset(), compare.key.length()));
  }

  /** For every key of the range; without any as for one that is not there. */
  private boolean holdsForRange(Compare compare) {
    View view = keyspace.working();
    KeyRange range = KeyRange.of(compare.key.copy(), compare.rangeEnd.copy());
    if (range.isEmpty()) {
      return holds(compare, 0);
    }
    reader.open(view, range, view.revision());
    long record = reader.next();
    boolean holds = holds(compare, record);
    while (holds && record != 0) {
      record = reader.next();
      holds = record == 0 || holds(compare, record);
    }
    reader.close();
    return holds;
  }

  /** Compares a version; 0 stands for a key that is not there, all of whose numbers are 0. */
  private boolean holds(Compare compare, long record) {
    int order;
    if (compare.target == Compare.VALUE) {
      if (record == 0) {
        return false;
      }
      Slice given = compare.given == Compare.VALUE ? compare.value : NOTHING;
      order = KeyValues.compareValue(memory, record, given.array(), given.offset(), given.length());
    } else {
      long given = compare.given == compare.target ? compare.number : 0;
      order = Long.compare(number(compare.target, record), given);
      if (compare.target > Compare.LEASE || compare.target < 0) {
        order = 0;
      }
    }
    return switch (compare.result) {
      case Compare.EQUAL -> order == 0;
      case Compare.NOT_EQUAL -> order != 0;
      case Compare.GREATER -> order > 0;
      case Compare.LESS -> order < 0;
      // As in etcd, which knows no other.
      default -> true;
    };
  }

  private long number(int target, long record) {
    if (record == 0) {
      return 0;
    }
    return switch (target) {
      case Compare.VERSION -> KeyValues.version(memory, record);
      case Compare.CREATE -> KeyValues.createRevision(memory, record);
      case Compare.MOD -> Records.modRevision(memory, record);
      case Compare.LEASE -> KeyValues.lease(memory, record);
      default -> 0;
    };
  }
}
