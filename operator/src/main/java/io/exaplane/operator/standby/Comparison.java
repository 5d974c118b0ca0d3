// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.standby;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.SSABasedGenericKubernetesResourceMatcher;
import java.util.Collection;

/** Compares objects as the SDK does before it writes them. Pure: writes nothing. */
public final class Comparison {
  private Comparison() {}

  /**
   * How many wanted objects are already as they should be.
   *
   * @param wanted what a pass would apply; those that do not exist yet count for nothing
   */
  public static long of(Collection<? extends HasMetadata> wanted, Context<?> context) {
    return wanted.stream().filter(object -> isThere(object, context)).count();
  }

  private static boolean isThere(HasMetadata wanted, Context<?> context) {
    return context
        .getSecondaryResourcesAsStream(wanted.getClass())
        .filter(there -> there.getMetadata().getName().equals(wanted.getMetadata().getName()))
        .anyMatch(
            there ->
                there.getMetadata().getManagedFields() != null
                    && SSABasedGenericKubernetesResourceMatcher.<HasMetadata>getInstance()
                        .matches(there, wanted, context));
  }
}
