// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.observe;

import io.exaplane.api.v1alpha1.SchedulerPoolSpec;
import io.exaplane.operator.names.Tier;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What an API server would refuse of a pool's resources, so that nothing is half done. Pure. */
public final class ResourceCheck {
  private ResourceCheck() {}

  /** The first that is wrong: field, value, rule and next action. */
  static Optional<String> problem(SchedulerPoolSpec spec) {
    return Arrays.stream(Tier.values())
        .map(tier -> problem(tier, tier.resources(spec)))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static Optional<String> problem(Tier tier, ResourceRequirements resources) {
    if (resources == null || resources.getRequests() == null || resources.getLimits() == null) {
      return Optional.empty();
    }
    return resources.getRequests().entrySet().stream()
        .filter(request -> isAbove(request.getValue(), resources.getLimits().get(request.getKey())))
        .map(
            request ->
                "spec.%ss.resources: the request of %s, %s, is above its limit, %s; lower the request or raise the limit."
                    .formatted(
                        tier.name().toLowerCase(Locale.ROOT),
                        request.getKey(),
                        request.getValue(),
                        resources.getLimits().get(request.getKey())))
        .findFirst();
  }

  private static boolean isAbove(Quantity request, Quantity limit) {
    return request != null
        && limit != null
        && Quantity.getAmountInBytes(request).compareTo(Quantity.getAmountInBytes(limit)) > 0;
  }
}
