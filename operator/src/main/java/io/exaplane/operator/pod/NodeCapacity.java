// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pod;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;

/** What a node of the management cluster gives to pods. */
public record NodeCapacity(double cores, long memoryBytes) {
  /** The allocatable part of a node. */
  public static NodeCapacity of(Node node) {
    return new NodeCapacity(amount(node, "cpu"), (long) amount(node, "memory"));
  }

  /** Whether a pod without tolerations can come to a node. */
  public static boolean takesPods(Node node) {
    boolean cordoned = Boolean.TRUE.equals(node.getSpec().getUnschedulable());
    boolean tainted =
        node.getSpec().getTaints() != null
            && node.getSpec().getTaints().stream()
                .anyMatch(taint -> !taint.getEffect().equals("PreferNoSchedule"));
    return !cordoned && !tainted;
  }

  private static double amount(Node node, String resource) {
    Quantity quantity =
        node.getStatus() == null || node.getStatus().getAllocatable() == null
            ? null
            : node.getStatus().getAllocatable().get(resource);
    return quantity == null ? 0 : quantity.getNumericalAmount().doubleValue();
  }

  /** Whether a container that asks for so much can come to it. */
  boolean carries(ResourceRequirements resources) {
    return cores >= asked(resources, "cpu") && memoryBytes >= asked(resources, "memory");
  }

  /** The same, with half of its cores left for what works with it: apiservers, other stores. */
  public boolean carriesBesideOthers(ResourceRequirements resources) {
    return carries(resources) && cores / 2 >= asked(resources, "cpu");
  }

  /** What a container asks for, cores or bytes. */
  static double asked(ResourceRequirements resources, String resource) {
    Quantity quantity =
        resources.getRequests() == null ? null : resources.getRequests().get(resource);
    return quantity == null ? 0 : quantity.getNumericalAmount().doubleValue();
  }
}
