// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.reasons;

import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.NodePoolCondition;
import io.exaplane.api.v1alpha1.PoolCondition;
import io.exaplane.api.v1alpha1.StoreCondition;
import io.exaplane.api.v1alpha1.TaskCondition;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/** A class of the operator that decides what one type of condition says, by its name. Pure. */
record DecidingClass(Class<? extends Enum<?>> kind, String type) {
  private static final String SUFFIX = "Condition";

  /** By the package of a Kind. */
  static final Map<String, Class<? extends Enum<?>>> KINDS =
      Map.of(
          "io.exaplane.operator.controlplane.",
          ConditionType.class,
          "io.exaplane.operator.storeshard.",
          StoreCondition.class,
          "io.exaplane.operator.schedulerpool.",
          PoolCondition.class,
          "io.exaplane.operator.nodepool.",
          NodePoolCondition.class,
          "io.exaplane.operator.task.",
          TaskCondition.class);

  /** Nothing for a class that decides no condition, or the same for several. */
  static Optional<DecidingClass> of(String className) {
    String outer = className.replaceFirst("\\$.*", "");
    String simple = outer.substring(outer.lastIndexOf('.') + 1);
    if (!simple.endsWith(SUFFIX)) {
      return Optional.empty();
    }
    String type = simple.substring(0, simple.length() - SUFFIX.length());
    return KINDS.entrySet().stream()
        .filter(each -> outer.startsWith(each.getKey()))
        .map(Map.Entry::getValue)
        .filter(
            kind ->
                Arrays.stream(kind.getEnumConstants()).anyMatch(each -> each.name().equals(type)))
        .map(kind -> new DecidingClass(kind, type))
        .findFirst();
  }

  @Override
  public String toString() {
    return kind.getSimpleName() + " " + type;
  }
}
