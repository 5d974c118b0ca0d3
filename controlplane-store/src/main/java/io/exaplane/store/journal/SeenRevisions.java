// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import java.io.IOException;

/**
 * What is known from elsewhere of a store's revisions, when it starts.
 *
 * @param floor a revision that was perhaps shown by a store whose files are lost; counts only if
 *     there are none
 * @param least a revision that somebody knows to be in the store's files; 0 for none
 */
public record SeenRevisions(long floor, long least) {
  /** Nothing is known. */
  public static final SeenRevisions NONE = new SeenRevisions(0, 0);

  /** The files are older than what is known of them. */
  public static final class OlderDataException extends IOException {
    private static final long serialVersionUID = 1L;

    private OlderDataException(long revision, long least) {
      super(
          "the newest revision is %d, but clients have seen revision %d: the folder is an older copy; restore the newest copy, or start with --least-revision=0 to continue from this one"
              .formatted(revision, least));
    }
  }

  /**
   * Holds a store to what is known of it.
   *
   * @param revision the newest one that its files tell of
   * @throws OlderDataException if it has less
   */
  public void check(long revision) throws OlderDataException {
    if (revision < least) {
      throw new OlderDataException(revision, least);
    }
  }
}
