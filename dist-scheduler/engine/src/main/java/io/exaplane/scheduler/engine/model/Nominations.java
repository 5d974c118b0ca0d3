// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which pods wait for which nodes. */
final class Nominations {
  private final Map<String, List<PlacedPod>> byNode = new HashMap<>();

  private long version;

  long version() {
    return version;
  }

  void add(PlacedPod pod) {
    version++;
    byNode.computeIfAbsent(pod.pod().nominatedNode(), n -> new ArrayList<>()).add(pod);
  }

  /** Whether it was there. */
  boolean remove(PlacedPod pod) {
    List<PlacedPod> pods = byNode.get(pod.pod().nominatedNode());
    boolean waited = pods != null && pods.remove(pod);
    if (waited) {
      version++;
      if (pods.isEmpty()) {
        byNode.remove(pod.pod().nominatedNode());
      }
    }
    return waited;
  }

  List<PlacedPod> of(String node) {
    return byNode.getOrDefault(node, List.of());
  }

  boolean isEmpty() {
    return byNode.isEmpty();
  }
}
