// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.tree;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Changes as bytes, one after another: the root writes them once, relays pass them on unread, and
 * the shard reads each as it takes it in. Equal if the bytes are. Immutable; any thread.
 */
public final class Packed {
  /** From this size on what comes next goes into another part; no stream takes much larger ones. */
  static final int LARGE_BYTES = 4 << 20;

  /** A part of an array that nobody changes, so that what a relay heard is not copied. */
  private final byte[] bytes;

  private final int from;
  private final int end;

  Packed(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.from = from;
    this.end = end;
  }

  /** All of these changes. */
  public static Packed of(List<Change> changes) {
    ByteSink sink = new ByteSink();
    changes.forEach(change -> TreeCodec.write(change, sink));
    return whole(sink);
  }

  /** All of these changes in their order, in as many parts as it takes to keep each small. */
  public static List<Packed> inParts(List<Change> changes) {
    List<Packed> parts = new ArrayList<>();
    ByteSink sink = new ByteSink();
    for (Change change : changes) {
      TreeCodec.write(change, sink);
      if (sink.size() >= LARGE_BYTES) {
        parts.add(whole(sink));
        sink = new ByteSink();
      }
    }
    if (sink.size() > 0) {
      parts.add(whole(sink));
    }
    return parts;
  }

  private static Packed whole(ByteSink sink) {
    byte[] bytes = sink.toBytes();
    return new Packed(bytes, 0, bytes.length);
  }

  /** How many bytes they are. */
  public int sizeBytes() {
    return end - from;
  }

  /**
   * Passes each change in order, as soon as it is read.
   *
   * @throws IllegalArgumentException if these are no changes; those before may have been passed
   */
  public void forEach(Consumer<Change> changes) {
    ByteSource source = new ByteSource(bytes, from, end);
    while (!source.isAtEnd()) {
      changes.accept(TreeCodec.readChange(source));
    }
  }

  void writeTo(ByteSink sink) {
    sink.bytes(bytes, from, end);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Packed packed
        && Arrays.equals(bytes, from, end, packed.bytes, packed.from, packed.end);
  }

  @Override
  public int hashCode() {
    int hash = 1;
    for (int i = from; i < end; i++) {
      hash = 31 * hash + bytes[i];
    }
    return hash;
  }

  @Override
  public String toString() {
    return sizeBytes() + " bytes of changes";
  }
}
