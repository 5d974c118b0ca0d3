// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

/** A place that manifests are fetched from. Immutable; any thread may ask. */
public interface Source {
  /**
   * Fetches the files, if the place has others than before. Blocks for as long as {@link
   * Limits#time} at most, and up to 30 seconds longer for Git, whose reads cannot be interrupted.
   * Give an empty revision after each change of the source's own options: path, key or credentials
   * are not part of a revision.
   *
   * @param previousRevision revision of the last {@link Fetched}; empty for none
   * @return the files, or that nothing changed, or why there are none
   * @throws InterruptedException when interrupted
   */
  Fetch fetch(String previousRevision) throws InterruptedException;
}
