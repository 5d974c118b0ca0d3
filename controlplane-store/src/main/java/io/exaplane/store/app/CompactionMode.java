// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import io.exaplane.store.api.AutoCompaction;
import java.time.Duration;
import picocli.CommandLine.TypeConversionException;

/** What {@code --auto-compaction-retention} counts; the names are etcd's. */
enum CompactionMode {
  PERIODIC {
    @Override
    AutoCompaction keep(String retention) {
      Duration time =
          retention.matches("\\d{1,6}")
              ? Duration.ofHours(Long.parseLong(retention))
              : duration(retention);
      if (time.isNegative()) {
        throw new IllegalArgumentException("must be 0 or more");
      }
      return time.toMillis() == 0 ? AutoCompaction.never() : AutoCompaction.after(time);
    }
  },
  REVISION {
    @Override
    AutoCompaction keep(String retention) {
      if (!retention.matches("\\d{1,18}")) {
        throw new IllegalArgumentException("must be a number of revisions");
      }
      long revisions = Long.parseLong(retention);
      return revisions == 0 ? AutoCompaction.never() : AutoCompaction.beyond(revisions);
    }
  };

  abstract AutoCompaction keep(String retention);

  /**
   * Reads the flag.
   *
   * @throws IllegalArgumentException with the rule that the value breaks
   */
  AutoCompaction compaction(String retention) {
    return retention.isEmpty() ? AutoCompaction.never() : keep(retention);
  }

  private static Duration duration(String text) {
    try {
      return new Durations().convert(text);
    } catch (TypeConversionException e) {
      throw new IllegalArgumentException("must be hours, or a time as 10m or 1h30m", e);
    }
  }
}
