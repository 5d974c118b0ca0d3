// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

/** Files that were put aside. */
final class Repair {
  /** Ends the names of files that were damaged, and that no store reads. */
  static final String ASIDE = ".damaged";

  private Repair() {}
}
