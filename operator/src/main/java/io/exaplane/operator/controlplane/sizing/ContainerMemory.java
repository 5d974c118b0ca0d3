// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.util.Map;
import java.util.Optional;

/**
 * Memory that a container asks for. Immutable.
 *
 * @param limit none where one would do harm
 */
record ContainerMemory(Quantity request, Optional<Quantity> limit) {
  private static final String MEMORY = "memory";
  private static final String CPU = "cpu";

  /** What one without work to do keeps busy. */
  private static final Quantity CORES = new Quantity("50m");

  static ContainerMemory requested(Quantity memory) {
    return new ContainerMemory(memory, Optional.empty());
  }

  static ContainerMemory limited(Quantity memory) {
    return new ContainerMemory(memory, Optional.of(memory));
  }

  /** What a container has, if it asks for memory; a limit alone is a request as well. */
  static Optional<ContainerMemory> of(ResourceRequirements resources) {
    return named(resources)
        .map(request -> new ContainerMemory(request, get(resources.getLimits(), MEMORY)));
  }

  /** The memory that a user named, be it as a request or as a limit. */
  static Optional<Quantity> named(ResourceRequirements resources) {
    return resources == null ? Optional.empty() : named(resources, MEMORY);
  }

  /** The cores that a user named. */
  static Optional<Quantity> namedCores(ResourceRequirements resources) {
    return resources == null ? Optional.empty() : named(resources, CPU);
  }

  /** The same with cores that it is guaranteed, in place of those that it asks for. */
  static ResourceRequirements guaranteed(ResourceRequirements resources, Quantity cores) {
    return (resources == null
            ? new ResourceRequirementsBuilder()
            : new ResourceRequirementsBuilder(resources))
        .addToRequests(CPU, cores)
        .addToLimits(CPU, cores)
        .build();
  }

  private static Optional<Quantity> named(ResourceRequirements resources, String amount) {
    return get(resources.getRequests(), amount).or(() -> get(resources.getLimits(), amount));
  }

  private static Optional<Quantity> get(Map<String, Quantity> amounts, String amount) {
    return amounts == null ? Optional.empty() : Optional.ofNullable(amounts.get(amount));
  }

  /** What the container asks for: what the user says, who says nothing of memory, and this. */
  ResourceRequirements with(ResourceRequirements own) {
    return with(own, CORES);
  }

  /** The same, with other cores where the user says nothing of them. */
  ResourceRequirements with(ResourceRequirements own, Quantity cores) {
    ResourceRequirementsBuilder resources =
        own == null ? new ResourceRequirementsBuilder() : new ResourceRequirementsBuilder(own);
    if (own == null || named(own, CPU).isEmpty()) {
      resources.addToRequests(CPU, cores);
    }
    resources.addToRequests(MEMORY, request);
    limit.ifPresent(memory -> resources.addToLimits(MEMORY, memory));
    return resources.build();
  }
}
