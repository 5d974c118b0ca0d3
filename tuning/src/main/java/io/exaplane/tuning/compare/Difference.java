// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.compare;

/**
 * What is different between a running component and the advice.
 *
 * @param name of the flag; of a gate behind {@code feature-gates.}, of a variable behind {@code
 *     env.}
 * @param running what it has, or empty
 * @param advised what the model says, or empty
 * @param why reason of the advice, or what is wrong with what it has
 */
public record Difference(Type type, String name, String running, String advised, String why) {
  /** What to make of it, the worst first. */
  public enum Type {
    /** The component would not start with it. */
    UNKNOWN,
    /** The component has the flag, and would not start with the value. */
    INVALID,
    /** It says that it is deprecated, or does nothing. */
    DEPRECATED,
    /** It has another value. */
    CHANGE,
    /** It does not have what is advised. */
    ADD,
    /** It has what its version does by itself. */
    DEFAULT,
    /** It has what is advised. */
    FINE;

    /** Whether the component would not start. */
    public boolean isError() {
      return this == UNKNOWN || this == INVALID;
    }

    /** Whether nothing is to be changed. */
    public boolean isFine() {
      return this == DEFAULT || this == FINE;
    }
  }
}
