// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

/**
 * Pods that are decided about together (scheduling.k8s.io/v1alpha2).
 *
 * @param minCount how many of them have to find nodes for any to be bound; 0 if each stands for
 *     itself
 */
public record PodGroup(String namespace, String name, int minCount) {
  /** Namespace and name. */
  public String key() {
    return namespace + "/" + name;
  }
}
