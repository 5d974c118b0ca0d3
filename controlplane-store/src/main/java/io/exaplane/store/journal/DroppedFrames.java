// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.journal.Segment.Found;
import io.exaplane.store.journal.Segment.Reading;
import io.exaplane.store.journal.Segment.State;
import io.exaplane.store.journal.storage.Storage;
import java.io.IOException;
import java.util.function.Consumer;

/** What a log has from a number on, as far as it can be read, to be told before it is dropped. */
final class DroppedFrames {
  private static final int MOST_LINES = 1000;

  private final Storage storage;
  private final long from;
  private final FrameText text = new FrameText();
  private long nextSequence;
  private long newestRevision;
  private int frames;

  DroppedFrames(Storage storage, long from) {
    this.storage = storage;
    this.from = from;
    this.nextSequence = from;
  }

  /** Tells of each frame in a line. */
  void tell(Consumer<String> out) throws IOException {
    for (String name : LogReader.segments(storage)) {
      try (Segment segment = Segment.open(storage, name)) {
        segment(name, segment, out);
      }
    }
    if (frames > MOST_LINES) {
      out.accept("%d more frames are dropped.".formatted(frames - MOST_LINES));
    }
  }

  private void segment(String name, Segment segment, Consumer<String> out) throws IOException {
    long at = segment.start();
    long sequence = Segment.firstSequence(name);
    while (true) {
      Reading frame = segment.read(at, sequence);
      if (frame.state() != State.TORN && sequence >= from) {
        nextSequence = Math.max(nextSequence, sequence + 1);
        frame(name, at, sequence, frame, out);
      }
      if (frame.size() > 0) {
        at += frame.size();
        sequence++;
        continue;
      }
      Found found = segment.behind(at, sequence);
      if (found == null) {
        return;
      }
      at = found.at();
      sequence = found.sequence();
    }
  }

  private void frame(String segment, long at, long sequence, Reading frame, Consumer<String> out) {
    frames++;
    String content = frame.payload() == null ? "can't be read" : text.of(frame.payload());
    if (frame.state() == State.WHOLE) { // a changed one may name any
      newestRevision = Math.max(newestRevision, text.newestRevision());
    }
    if (frames <= MOST_LINES) {
      out.accept(
          "Dropped: frame %d at byte %d of %s: %s%s."
              .formatted(
                  sequence,
                  at,
                  segment,
                  frame.state() == State.DAMAGED && frame.payload() != null
                      ? "damaged; as far as it can be read, "
                      : "",
                  content));
    }
  }

  /** One more than the highest number of a frame. */
  long nextSequence() {
    return nextSequence;
  }

  /** The newest revision in whole frames. */
  long newestRevision() {
    return newestRevision;
  }
}
