// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import io.exaplane.api.v1alpha1.AddonSpec;
import java.util.Map;
import java.util.Optional;

/** Reads the files of sources. */
interface AddonReader {
  /** Why the files can't be read: field, value, rule and next action. */
  final class Unreadable extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean passing;

    Unreadable(String message) {
      this(message, false);
    }

    /** With whether the same may be read soon, without that anybody does anything. */
    Unreadable(String message, boolean passing) {
      super(message);
      this.passing = passing;
    }

    boolean isPassing() {
      return passing;
    }
  }

  /** Of a source that names nothing. */
  Watching NOTHING =
      new Watching() {
        @Override
        public boolean hasEnded() {
          return false;
        }

        @Override
        public void close() {
          // Nothing is open.
        }
      };

  /** A watch; closing it twice does nothing. */
  interface Watching extends AutoCloseable {
    /** Whether nobody is told of changes any more. */
    boolean hasEnded();

    @Override
    void close();
  }

  /** How a fetch ended. */
  sealed interface Outcome {}

  /**
   * The place has other files than before.
   *
   * @param revision of the place, as {@code main@sha1:…}
   * @param room what these files take of the operator's memory, to be closed when they go
   */
  record Arrived(String revision, AddonContents contents, FetchRoom.Part room) implements Outcome {}

  /** The place has what it had. */
  record Same() implements Outcome {}

  /** The place can't be read. */
  record Missed(Unreadable why) implements Outcome {}

  /** A fetch under way, or its end; closing it twice does nothing. */
  interface Fetching extends AutoCloseable {
    /** Empty while it goes on. */
    Optional<Outcome> outcome();

    /** Ends it; nobody asks for its outcome any more. */
    @Override
    void close();
  }

  /** The texts of the files by name, of a source that is not fetched. */
  Map<String, String> read(AddonSpec spec) throws Unreadable;

  /** The objects of these texts; what was read before, if the texts are those of then. */
  default AddonContents parse(Map<String, String> texts, Optional<AddonContents> before) {
    return AddonContents.of(texts, before);
  }

  /**
   * Begins to fetch the files of a source from a registry or a repository. Never waits.
   *
   * @param previous revision of the files that were read last; empty for none
   * @param heldBytes what these take of the operator's memory, until others come
   * @param ended called by another thread
   */
  Fetching fetch(AddonSpec spec, String previous, long heldBytes, Runnable ended);

  /**
   * Tells of changes of what the source names; of none, for a source that names nothing.
   *
   * @param changed called by other threads, also without a change; must not wait
   */
  Watching watch(AddonSpec spec, Runnable changed);
}
