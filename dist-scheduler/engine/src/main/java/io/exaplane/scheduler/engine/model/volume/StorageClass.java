// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model.volume;

import io.exaplane.scheduler.engine.model.Labels;
import java.util.List;

/**
 * A StorageClass.
 *
 * @param bindingMode Immediate, WaitForFirstConsumer, or empty if it is not set
 * @param topologies where volumes can be made; empty for everywhere
 */
public record StorageClass(
    String name, String provisioner, String bindingMode, List<Topologies> topologies) {
  /** Conditions on a node's labels that all have to hold; none at all never do. */
  public record Topologies(List<Condition> conditions) {}

  /** One label and the values that it may have. */
  public record Condition(String key, List<String> values) {}

  public boolean waitsForConsumer() {
    return bindingMode.equals("WaitForFirstConsumer");
  }

  public boolean provisions() {
    return !provisioner.isEmpty() && !provisioner.equals("kubernetes.io/no-provisioner");
  }

  public boolean reaches(Labels node) {
    if (topologies.isEmpty()) {
      return true;
    }
    for (Topologies term : topologies) {
      boolean all = !term.conditions().isEmpty();
      for (Condition condition : term.conditions()) {
        String value = node.get(condition.key());
        all &= value != null && condition.values().contains(value);
      }
      if (all) {
        return true;
      }
    }
    return false;
  }
}
