// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How many bytes fetched objects may take of the operator's memory: all together, and those of one
 * control plane. Whoever writes a spec could otherwise fill that memory. Thread-safe.
 */
final class FetchRoom {
  private final Optional<FetchRoom> within;
  private final long most;
  private long used;

  private FetchRoom(Optional<FetchRoom> within, long most) {
    this.within = within;
    this.most = most;
  }

  /** For all control planes. */
  static FetchRoom of(long bytes) {
    return new FetchRoom(Optional.empty(), bytes);
  }

  /** For one control plane, within this. */
  FetchRoom part(long bytes) {
    return new FetchRoom(Optional.of(this), bytes);
  }

  /** Bytes that are taken. Closing it twice does nothing. */
  interface Part extends AutoCloseable {
    /** How many. */
    long bytes();

    @Override
    void close();
  }

  /**
   * Takes so many bytes; empty if they do not fit.
   *
   * @param replaced bytes of a part that is closed as soon as this one is there
   */
  Optional<Part> take(long bytes, long replaced) {
    Optional<Part> outer = Optional.empty();
    if (within.isPresent()) {
      outer = within.get().take(bytes, replaced);
      if (outer.isEmpty()) {
        return Optional.empty();
      }
    }
    if (!fits(bytes, replaced)) {
      outer.ifPresent(Part::close);
      return Optional.empty();
    }
    return Optional.of(new Taken(bytes, outer));
  }

  private final class Taken implements Part {
    private final long bytes;
    private final Optional<Part> outer;
    private final AtomicBoolean closed = new AtomicBoolean();

    Taken(long bytes, Optional<Part> outer) {
      this.bytes = bytes;
      this.outer = outer;
    }

    @Override
    public long bytes() {
      return bytes;
    }

    @Override
    public void close() {
      if (closed.compareAndSet(false, true)) {
        give(bytes);
        outer.ifPresent(Part::close);
      }
    }
  }

  private synchronized boolean fits(long bytes, long replaced) {
    boolean fits = used - replaced + bytes <= most;
    used += fits ? bytes : 0;
    return fits;
  }

  private synchronized void give(long bytes) {
    used -= bytes;
  }

  /** Bytes that are taken now. */
  synchronized long used() {
    return used;
  }

  long most() {
    return most;
  }
}
