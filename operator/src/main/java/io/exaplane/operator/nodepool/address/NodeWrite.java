// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.address;

import io.exaplane.operator.names.NodePoolNames;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a Node lacks of what was decided. It is written only onto the very version of the Node that
 * the decision was about. Immutable.
 *
 * @param prefix for spec.podCIDRs; empty if they remain unchanged
 * @param refused for the annotation: a sentence, "" to remove it; empty if it remains unchanged
 */
record NodeWrite(NodeFacts node, Optional<Prefix> prefix, Optional<String> refused) {
  /** Empty if the Node has all. */
  static Optional<NodeWrite> of(NodeFacts node, Decision decision) {
    boolean isOurs = !node.pool().isEmpty();
    Optional<String> refused =
        isOurs && !decision.message().equals(node.refused())
            ? Optional.of(decision.message())
            : Optional.empty();
    return decision.prefix().isEmpty() && refused.isEmpty()
        ? Optional.empty()
        : Optional.of(new NodeWrite(node, decision.prefix(), refused));
  }

  /** As a merge patch. Another version, or another Node of the name, is a conflict. */
  Map<String, Object> patch() {
    Map<String, Object> metadata = new HashMap<>();
    metadata.put("uid", node.uid());
    metadata.put("resourceVersion", node.resourceVersion());
    refused.ifPresent(
        text -> {
          Map<String, Object> annotations = new HashMap<>();
          annotations.put(NodePoolNames.POD_PREFIX_REFUSED, text.isEmpty() ? null : text);
          metadata.put("annotations", annotations);
        });
    Map<String, Object> patch = new HashMap<>();
    patch.put("metadata", metadata);
    prefix.ifPresent(
        found ->
            patch.put(
                "spec",
                Map.of("podCIDR", found.toString(), "podCIDRs", List.of(found.toString()))));
    return patch;
  }
}
