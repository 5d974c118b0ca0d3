// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Flow;

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
    return BodyHandlers.fromLineSubscriber(new Lines(), Lines::figures, null);
  }

  /** Used by one thread at a time. */
  private static final class Lines implements Flow.Subscriber<String> {
    private OptionalLong resident = OptionalLong.empty();
    private OptionalLong live = OptionalLong.empty();

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(String line) {
      if (line.startsWith(RESIDENT)) {
        resident = number(line.substring(RESIDENT.length()));
      } else if (line.startsWith(LIVE)) {
        live = number(line.substring(LIVE.length()));
      }
    }

    @Override
    public void onError(Throwable failure) {
      // The request fails with it.
    }

    @Override
    public void onComplete() {
      // The finisher asks for the figures.
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
