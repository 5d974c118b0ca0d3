// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import java.util.Map;

/**
 * How many objects there are.
 *
 * @param resources by resource with its group, as in apps/deployments
 * @param nodes over which pods are spread
 */
public record Inventory(Map<String, Resource> resources, double nodes) {
  static final double DEFAULT_BYTES = 2_000;

  /**
   * The objects of a resource.
   *
   * @param bytes of one, as it is stored
   * @param byNamespace how many each namespace has, as far as it is known
   */
  public record Resource(double objects, double bytes, Map<String, Double> byNamespace) {}

  Resource resource(String name) {
    return resources.getOrDefault(name, new Resource(0, DEFAULT_BYTES, Map.of()));
  }

  boolean has(String name) {
    return resources.containsKey(name);
  }

  /** Objects of a resource in a namespace, or in all if it is empty. */
  double objects(String name, String namespace) {
    Resource resource = resource(name);
    if (namespace.isEmpty()) {
      return resource.objects();
    }
    Double known = resource.byNamespace().get(namespace);
    if (known != null) {
      return known;
    }
    // What is not told apart lies in all namespaces alike.
    double namespaces = Math.max(1, resource("namespaces").objects());
    double told = resource.byNamespace().values().stream().mapToDouble(Double::doubleValue).sum();
    return Math.max(0, resource.objects() - told)
        / Math.max(1, namespaces - resource.byNamespace().size());
  }
}
