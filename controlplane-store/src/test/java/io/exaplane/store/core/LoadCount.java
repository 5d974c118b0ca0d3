// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.core.load.ValueLoad;
import io.exaplane.store.core.memory.KeyValues;
import io.exaplane.store.core.memory.Records;

/** What a keyspace counts of kube-apiservers' memory, beside a walk over all that there is. */
public final class LoadCount {
  private LoadCount() {}

  /** Fails unless it is what the objects take that exist. By the writer. */
  public static void require(Keyspace keyspace) {
    assertThat(keyspace.space().loadBytes())
        .as("what kube-apiservers load at revision %d", keyspace.readRevision())
        .isEqualTo(walk(keyspace));
  }

  private static long walk(Keyspace keyspace) {
    RangeReader reader = new RangeReader(keyspace);
    View view = keyspace.working();
    long sum = 0;
    reader.open(view, KeyRange.all(), view.revision());
    for (long record = reader.next(); record != 0; record = reader.next()) {
      byte[] value = KeyValues.copyValue(keyspace.memory(), record);
      int walked = new ValueLoad().of(value, 0, value.length);
      sum +=
          keyspace.space().classOf(record).kind().equals("events")
              ? 0
              : SpaceAccount.loadOf(walked, Records.size(keyspace.memory(), record));
    }
    reader.close();
    return sum;
  }
}
