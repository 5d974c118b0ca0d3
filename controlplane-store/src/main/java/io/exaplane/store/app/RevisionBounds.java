// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import picocli.CommandLine.Option;

/** What is known from elsewhere of the revisions of a store, as flags. Set once, by picocli. */
final class RevisionBounds {
  @Option(
      names = "--revision-floor",
      defaultValue = "${env:EXAPLANE_REVISION_FLOOR:-0}",
      description =
          "If the folder is empty, begin above this revision. Clients may have seen that revision from"
              + " a store whose folder is lost (default: EXAPLANE_REVISION_FLOOR, or 0).")
  private long floor;

  @Option(
      names = "--least-revision",
      defaultValue = "${env:EXAPLANE_LEAST_REVISION:-0}",
      description =
          "A revision that somebody has seen from this store, or its metric"
              + " exaplane_store_durable_revision if some keys are kept in memory only. If the newest"
              + " revision in the folder is lower, the folder is an older copy, and the store does not"
              + " start (default: EXAPLANE_LEAST_REVISION, or 0).")
  private long least;

  long floor() {
    return floor;
  }

  long least() {
    return least;
  }
}
