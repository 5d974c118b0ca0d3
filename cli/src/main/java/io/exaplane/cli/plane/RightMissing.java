// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

/** The account lacks a right in the management cluster. */
public final class RightMissing extends PlaneException {
  private static final long serialVersionUID = 1L;

  /** As "list pods". */
  private final String right;

  private final String where;

  /**
   * One that the server told.
   *
   * @param right as "list pods"
   * @param where as "in namespace default"
   * @param said the server's words
   */
  RightMissing(String right, String where, String said) {
    super(
        "the account must have the right to %s %s (%s); ask for the right: docs/kubectl-plugin.md lists the rights of each command"
            .formatted(right, where, said));
    this.right = right;
    this.where = where;
  }

  /** What an answer says that does without. */
  public String gap() {
    return "not shown: the account has no right to %s %s".formatted(right, where);
  }
}
