// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.Reason;
import java.util.Arrays;

/** A phase of an object in tables of tests: the conditions that differ from a healthy object's. */
public final class Phase {
  private Phase() {}

  /**
   * Sets the conditions of a line such as {@code Ready=False/Starting UpToDate=True/AsExpected}.
   */
  public static <T extends Enum<T>> void set(
      ConditionSet conditions, Class<T> types, String differences) {
    Arrays.stream(differences.split(" "))
        .filter(word -> !word.isEmpty())
        .map(word -> word.split("[=/]"))
        .forEach(
            words ->
                conditions.set(
                    Enum.valueOf(types, words[0]),
                    words[1].equals(Condition.TRUE),
                    Reason.valueOf(words[2]),
                    "other. Check the pods."));
  }
}
