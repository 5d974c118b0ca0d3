// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.explain;

import io.exaplane.scheduler.model.Cluster;
import io.exaplane.scheduler.placement.Cycle;
import io.exaplane.scheduler.placement.Judgement;
import io.exaplane.scheduler.plugin.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The text of the event FailedScheduling. Source: pkg/scheduler/framework/types.go, FitError. */
final class FitMessage {
  private FitMessage() {}

  static String of(Cluster cluster, Judgement judgement) {
    if (cluster.nodeCount() == 0) {
      return "no nodes available to schedule pods";
    }
    String head = "0/" + cluster.nodeCount() + " nodes are available:";
    Status rejection = judgement.rejection();
    if (rejection != null && rejection.plugin().equals(Cycle.GATES)) {
      return "Scheduling is blocked due to non-empty scheduling gates";
    }
    if (rejection != null) {
      return rejection.reasons().isEmpty()
          ? head
          : head + " " + String.join(", ", rejection.reasons()) + ".";
    }
    Map<String, Integer> histogram = new TreeMap<>();
    for (int node = 0; node < cluster.nodes().size(); node++) {
      if (judgement.isRefused(node)) {
        judgement
            .refusal(node)
            .reasons()
            .forEach(reason -> histogram.merge(reason, 1, Integer::sum));
      }
    }
    List<String> parts = new ArrayList<>();
    histogram.forEach((reason, count) -> parts.add(count + " " + reason));
    parts.sort(null);
    return parts.isEmpty() ? head : head + " " + String.join(", ", parts) + ".";
  }
}
