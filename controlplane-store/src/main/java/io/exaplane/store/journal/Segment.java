// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.journal.storage.Storage;
import io.exaplane.store.journal.storage.Storage.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.regex.Pattern;

/** A segment of the log that is read. For one thread. */
sealed interface Segment extends AutoCloseable permits PlainSegment, MarkedSegment {
  String PREFIX = "wal-";

  /** Ends the names of segments of today's format: a program that does not know it, ends on it. */
  String MARKED = "-2";

  Pattern NAME = Pattern.compile(PREFIX + "[0-9]{" + Frames.DIGITS + "}(" + MARKED + ")?");

  /** What there is where a frame should be. */
  enum State {
    /** The frame. */
    WHOLE,
    /** Nothing, or a frame that was never written to its end. */
    TORN,
    /** A frame that was written to its end and changed since. */
    DAMAGED
  }

  /**
   * @param payload of a whole frame, until the next one is read; of a damaged one what is there, if
   *     its header tells
   * @param size of the frame, as far as its header tells; else 0
   * @param isWeak whether the frame was not durable when more was written, for all that is known
   */
  record Reading(State state, ByteBuffer payload, int size, boolean isWeak) {
    static final Reading TORN = new Reading(State.TORN, null, 0, true);
    static final Reading DAMAGED = new Reading(State.DAMAGED, null, 0, false);
  }

  /** Where a frame begins. */
  record Found(long at, long sequence) {}

  static boolean isSegment(String name) {
    return NAME.matcher(name).matches();
  }

  /** Name of a segment that begins with the frame. */
  static String name(long firstSequence) {
    return PREFIX + "%020d".formatted(firstSequence) + MARKED;
  }

  static boolean isMarked(String name) {
    return name.endsWith(MARKED);
  }

  /** Number of the first frame in the segment of that name. */
  static long firstSequence(String name) {
    int end = name.length() - (isMarked(name) ? MARKED.length() : 0);
    return Long.parseLong(name.substring(PREFIX.length(), end));
  }

  /** Opens a segment, be it damaged or not. */
  static Segment open(Storage storage, String name) throws IOException {
    StoredFile file = storage.open(name);
    try {
      return isMarked(name) ? MarkedSegment.of(name, file) : new PlainSegment(file);
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  /** What is wrong with the segment beside its frames, or null. */
  CorruptJournalException damage();

  /** Who wrote the segment, or {@link MemberIds#NONE} if the segment does not tell. */
  MemberIds owner();

  /** Where the first frame begins. */
  long start();

  /** Reads the frame that should begin somewhere. */
  Reading read(long at, long sequence) throws IOException;

  /** The next frame behind one that is not whole, or null. */
  Found behind(long at, long sequence) throws IOException;

  @Override
  void close() throws IOException;
}
