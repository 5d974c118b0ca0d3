// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.util.SortedSet;

/**
 * Pods that a pod wants to be near to, or far from.
 *
 * @param namespaces where those pods are: the pod's own namespace if the term names none and
 *     selects none
 * @param namespaceSelector further namespaces, by their labels
 */
public record AffinityTerm(
    SortedSet<String> namespaces,
    LabelSelector namespaceSelector,
    LabelSelector selector,
    String topologyKey) {
  /** A term and what a node in its domain is worth. */
  public record Weighted(int weight, AffinityTerm term) {}

  /**
   * Whether a pod is one of those.
   *
   * @param namespaceLabels labels of the pod's namespace, or {@link Labels#NONE} where they do not
   *     count or are not known
   */
  public boolean matches(String namespace, Labels labels, Labels namespaceLabels) {
    return (namespaces.contains(namespace) || namespaceSelector.matches(namespaceLabels))
        && selector.matches(labels);
  }
}
