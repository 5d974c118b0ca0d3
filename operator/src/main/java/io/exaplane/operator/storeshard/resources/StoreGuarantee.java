// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.resources;

import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.StoreRate;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.util.Map;
import java.util.Optional;

/**
 * What a Critical store is made with so that its pod is Guaranteed: requests that are its limits. A
 * node that runs short of memory then ends all other pods before it. Pure.
 */
public final class StoreGuarantee {
  private static final String CPU = "cpu";
  private static final String MEMORY = "memory";

  private StoreGuarantee() {}

  /**
   * Memory that a store has at least. What it may hold follows from it, and every kube-apiserver
   * has to carry that, too; so small control planes have smaller stores.
   */
  public static double leastMemory(int maxNodes) {
    return (maxNodes <= 100 ? 1 : maxNodes <= 1000 ? 2 : 4) * Bytes.GIB;
  }

  /** Cores, of which a quarter is enough for a hundred nodes: see DESIGN.md for what it costs. */
  public static Quantity cores(int maxNodes) {
    double cores = StoreRate.cores(maxNodes);
    return new Quantity(cores < 1 ? (long) (1000 * cores) + "m" : Long.toString((long) cores));
  }

  /** What a store has of which no size is known: one that no control plane made. */
  public static ResourceRequirements ofAnySize() {
    return both(new ResourceRequirements(), new Quantity("4Gi"), new Quantity("1"));
  }

  /**
   * What the user says, and these amounts where the user says nothing; nothing when the user's
   * words leave no room for a guarantee, where a limit of cores would only slow the store down.
   */
  public static Optional<ResourceRequirements> of(
      ResourceRequirements own, Quantity memory, Quantity cores) {
    ResourceRequirements asked = own == null ? new ResourceRequirements() : own;
    return fits(asked, CPU) && fits(asked, MEMORY)
        ? Optional.of(both(asked, memory, cores))
        : Optional.empty();
  }

  private static ResourceRequirements both(
      ResourceRequirements own, Quantity memory, Quantity cores) {
    ResourceRequirementsBuilder all = new ResourceRequirementsBuilder(own);
    add(all, own, MEMORY, memory);
    add(all, own, CPU, cores);
    return all.build();
  }

  private static void add(
      ResourceRequirementsBuilder all, ResourceRequirements own, String amount, Quantity value) {
    Quantity limit = get(own.getLimits(), amount);
    if (limit == null) {
      all.addToLimits(amount, value);
      all.addToRequests(amount, value);
    }
  }

  /** Nothing, or a limit with the same request or none, which is the same. */
  private static boolean fits(ResourceRequirements own, String amount) {
    Quantity request = get(own.getRequests(), amount);
    Quantity limit = get(own.getLimits(), amount);
    return request == null || request.equals(limit);
  }

  /** The cores of a container that is guaranteed them. */
  public static Optional<Quantity> cores(ResourceRequirements resources) {
    Quantity limit = get(resources.getLimits(), CPU);
    return Optional.ofNullable(limit)
        .filter(cores -> cores.equals(get(resources.getRequests(), CPU)));
  }

  private static Quantity get(Map<String, Quantity> amounts, String amount) {
    return amounts == null ? null : amounts.get(amount);
  }
}
