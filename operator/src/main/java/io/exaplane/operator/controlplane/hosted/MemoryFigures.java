// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import java.net.http.HttpResponse.BodyHandler;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Memory of one process as its page of metrics gives it. Immutable.
 *
 * @param residentBytes of the process
 * @param liveBytes of the heap, what the last collection could not free
 */
record MemoryFigures(long residentBytes, long liveBytes) {
  private static final String RESIDENT = "process_resident_memory_bytes ";
  private static final String LIVE = "go_gc_heap_live_bytes ";

  /** Reads a page line by line and keeps two numbers: such a page may have many megabytes. */
  static BodyHandler<Optional<MemoryFigures>> reader() {
    return LineReader.of(new Lines(), Lines::take, Lines::figures);
  }

  /** Used by one thread at a time. */
  private static final class Lines {
    private OptionalLong resident = OptionalLong.empty();
    private OptionalLong live = OptionalLong.empty();

    void take(String line) {
      if (line.startsWith(RESIDENT)) {
        resident = number(line.substring(RESIDENT.length()));
      } else if (line.startsWith(LIVE)) {
        live = number(line.substring(LIVE.length()));
      }
    }

    Optional<MemoryFigures> figures() {
      return resident.isPresent() && live.isPresent()
          ? Optional.of(new MemoryFigures(resident.getAsLong(), live.getAsLong()))
          : Optional.empty();
    }

    private static OptionalLong number(String text) {
      try {
        return OptionalLong.of((long) Double.parseDouble(text.strip()));
      } catch (NumberFormatException e) {
        return OptionalLong.empty();
      }
    }
  }
}
