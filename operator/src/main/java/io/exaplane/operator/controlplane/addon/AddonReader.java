// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import io.exaplane.api.v1alpha1.AddonSpec;
import java.util.Map;

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

  /** The texts of the files by name. */
  Map<String, String> read(AddonSpec spec) throws Unreadable;

  /**
   * Tells of changes of what the source names; of none, for a source that names nothing.
   *
   * @param changed called by other threads, also without a change; must not wait
   */
  Watching watch(AddonSpec spec, Runnable changed);
}
