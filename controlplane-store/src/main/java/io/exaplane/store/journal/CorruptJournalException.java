// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import java.io.IOException;

/** Files that are not what this program wrote. Nothing was changed in them. */
public final class CorruptJournalException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String file;
  private final long offset;
  private final String finding;

  /**
   * @param offset where in the file
   * @param finding what is wrong there, as the end of a sentence
   */
  CorruptJournalException(String file, long offset, String finding) {
    super("%s is damaged at byte %d: %s".formatted(file, offset, finding));
    this.file = file;
    this.offset = offset;
    this.finding = finding;
  }

  private CorruptJournalException(String file, String finding) {
    super("%s: %s".formatted(file, finding));
    this.file = file;
    this.offset = 0;
    this.finding = finding;
  }

  /**
   * Of a file that is whole, and does not belong where it is.
   *
   * @param finding as a sentence without its full stop
   */
  static CorruptJournalException misplaced(String file, String finding) {
    return new CorruptJournalException(file, finding);
  }

  private CorruptJournalException(CorruptJournalException cause, String more) {
    super("%s. %s".formatted(cause.getMessage(), more), cause);
    this.file = cause.file;
    this.offset = cause.offset;
    this.finding = cause.finding;
  }

  /** The same with what it means and what to do. */
  CorruptJournalException with(String more) {
    return new CorruptJournalException(this, more);
  }

  /** Name of the file. */
  String file() {
    return file;
  }

  long offset() {
    return offset;
  }

  String finding() {
    return finding;
  }
}
