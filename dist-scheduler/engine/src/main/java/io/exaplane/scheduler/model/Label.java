// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.model;

/** A label of an object. */
public record Label(String key, String value) {
  /** One that all have which a selector matches, or null if there is none. */
  public static Label of(LabelSelector selector) {
    for (Requirement each : selector.requirements()) {
      if (each.operator() == Requirement.Operator.IN && each.values().size() == 1) {
        return new Label(each.key(), each.values().getFirst());
      }
    }
    return null;
  }
}
