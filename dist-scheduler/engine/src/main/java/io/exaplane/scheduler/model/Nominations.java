// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.model;

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

  void remove(PlacedPod pod) {
    List<PlacedPod> pods = byNode.get(pod.pod().nominatedNode());
    if (pods != null && pods.remove(pod)) {
      version++;
      if (pods.isEmpty()) {
        byNode.remove(pod.pod().nominatedNode());
      }
    }
  }

  List<PlacedPod> of(String node) {
    return byNode.getOrDefault(node, List.of());
  }

  boolean isEmpty() {
    return byNode.isEmpty();
  }
}
