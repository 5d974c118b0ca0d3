// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import java.io.IOException;

/** Files that cannot be what this program wrote. Nothing was changed in them. */
public final class CorruptJournalException extends IOException {
  private static final long serialVersionUID = 1L;

  CorruptJournalException(String file, long offset, String what) {
    super(
        "%s is corrupt at offset %d: %s; restore the data folder from a backup, or move it away to start empty"
            .formatted(file, offset, what));
  }
}
