// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import java.io.IOException;

/**
 * A snapshot is damaged, and perhaps what is older can take its place: to be tried with another
 * empty store.
 */
final class DamagedSnapshotException extends IOException {
  private static final long serialVersionUID = 1L;

  DamagedSnapshotException(CorruptJournalException damage) {
    super(damage.getMessage(), damage);
  }

  /** Name of the snapshot. */
  String snapshot() {
    return damage().file();
  }

  CorruptJournalException damage() {
    return (CorruptJournalException) getCause();
  }
}
