// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model.device;

import io.exaplane.scheduler.engine.model.Node;
import io.exaplane.scheduler.engine.model.NodeSelector;

/**
 * On which nodes devices can be used.
 *
 * @param nodeName the only one, or empty
 * @param everywhere on all
 * @param selector those that it matches, or null
 */
public record Place(String nodeName, boolean everywhere, NodeSelector selector) {
  /** Source: dynamic-resource-allocation/structured, NodeMatches. */
  public boolean includes(Node node) {
    if (!nodeName.isEmpty()) {
      return nodeName.equals(node.name());
    }
    return everywhere || (selector != null && selector.matches(node.name(), node.labels()));
  }

  /** Whether it says anything. */
  public boolean isKnown() {
    return !nodeName.isEmpty() || everywhere || selector != null;
  }
}
