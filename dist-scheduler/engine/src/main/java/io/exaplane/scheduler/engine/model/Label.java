// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.util.List;

/** A label of an object. */
public record Label(String key, String value) {
  /** Those that all have which a selector matches. */
  public static List<Label> of(LabelSelector selector) {
    return selector.requirements().stream()
        .filter(each -> each.operator() == Requirement.Operator.IN && each.values().size() == 1)
        .map(each -> new Label(each.key(), each.values().getFirst()))
        .toList();
  }
}
