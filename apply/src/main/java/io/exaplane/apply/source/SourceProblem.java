// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

/**
 * Why there are no files. Nothing was applied, and nothing may be deleted because of that.
 * Immutable.
 *
 * @param field option or file that is meant
 * @param value its value; never a secret
 * @param rule what the value breaks
 * @param next what to do
 * @param passing whether the problem may go away without a change of the options
 */
public record SourceProblem(String field, String value, String rule, String next, boolean passing)
    implements Fetch {
  /**
   * All parts in one line.
   *
   * @return field, value, rule and next action
   */
  public String message() {
    String shown = value.isEmpty() ? "" : "'" + value + "' ";
    return (field + ": " + shown + rule + "; " + next).replaceAll("\\p{Cntrl}+", " ");
  }

  @Override
  public String toString() {
    return message();
  }
}
