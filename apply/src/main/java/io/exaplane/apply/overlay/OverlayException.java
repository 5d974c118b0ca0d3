// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.overlay;

/** Why an overlay is not rendered: nothing of it may be applied. */
public final class OverlayException extends Exception {
  private static final long serialVersionUID = 1;
  private static final int MOST_SHOWN = 120;

  private final String field;
  private final String value;
  private final String rule;
  private final String next;

  OverlayException(String field, String value, String rule, String next) {
    super(field + ": '" + cut(value) + "' " + rule + "; " + next);
    this.field = field;
    this.value = cut(value);
    this.rule = rule;
    this.next = next;
  }

  private static String cut(String text) {
    String line = text.replaceAll("\\p{Cntrl}", "?");
    return line.length() <= MOST_SHOWN ? line : line.substring(0, MOST_SHOWN) + "…";
  }

  /**
   * The parts of the message.
   *
   * @return field with its file, value, rule, and next action
   */
  public String[] parts() {
    return new String[] {field, value, rule, next};
  }
}
