// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.math.BigDecimal;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Resources as kube-scheduler counts them.
 *
 * @param scalars extended resources, huge pages and the like, by name; zeros included
 */
public record Amounts(
    long milliCpu, long memoryBytes, long ephemeralStorageBytes, SortedMap<String, Long> scalars) {
  public static final String CPU = "cpu";
  public static final String MEMORY = "memory";
  public static final String EPHEMERAL_STORAGE = "ephemeral-storage";
  public static final String PODS = "pods";

  /** Source: pkg/scheduler/framework/types.go, Resource.Add. */
  public static Amounts of(Map<String, BigDecimal> quantities) {
    SortedMap<String, Long> scalars = new TreeMap<>();
    quantities.forEach(
        (name, amount) -> {
          if (isScalar(name)) {
            scalars.put(name, Quantity.whole(amount));
          }
        });
    BigDecimal none = BigDecimal.ZERO;
    return new Amounts(
        Quantity.milli(quantities.getOrDefault(CPU, none)),
        Quantity.whole(quantities.getOrDefault(MEMORY, none)),
        Quantity.whole(quantities.getOrDefault(EPHEMERAL_STORAGE, none)),
        scalars);
  }

  /**
   * A single resource in the unit that it is counted in: thousandths of cores, otherwise whole
   * units.
   */
  public static long counted(String name, BigDecimal amount) {
    return name.equals(CPU) ? Quantity.milli(amount) : Quantity.whole(amount);
  }

  /**
   * Whether a resource is counted by its name. Source: pkg/scheduler/util/utils.go,
   * IsScalarResourceName.
   */
  public static boolean isScalar(String name) {
    return isExtended(name)
        || name.startsWith("hugepages-")
        || isPrefixedNative(name)
        || name.startsWith("attachable-volumes-");
  }

  /**
   * Whether a resource is one that somebody else than Kubernetes named. Source:
   * pkg/apis/core/v1/helper/helpers.go.
   */
  public static boolean isExtended(String name) {
    return name.contains("/") && !isPrefixedNative(name) && !name.startsWith("requests.");
  }

  private static boolean isPrefixedNative(String name) {
    return name.contains("kubernetes.io/");
  }
}
