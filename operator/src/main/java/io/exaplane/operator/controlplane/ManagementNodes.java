// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane;

import io.exaplane.operator.pod.NodeCapacity;
import io.fabric8.kubernetes.client.KubernetesClient;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What the nodes of the management cluster give to pods, as of a minute ago at most: there may be
 * thousands, and many control planes that ask. Thread-safe.
 */
@ApplicationScoped
class ManagementNodes {
  private static final Duration AGE = Duration.ofMinutes(1);

  private final KubernetesClient client;
  private final Clock clock;
  private List<NodeCapacity> capacities = List.of();
  private Instant read = Instant.MIN;

  ManagementNodes(KubernetesClient client, Clock clock) {
    this.client = client;
    this.clock = clock;
  }

  synchronized List<NodeCapacity> capacities() {
    Instant now = clock.instant();
    if (read.isBefore(now.minus(AGE))) {
      capacities =
          client.nodes().list().getItems().stream()
              .filter(NodeCapacity::takesPods)
              .map(NodeCapacity::of)
              .distinct()
              .toList();
      read = now;
    }
    return capacities;
  }
}
