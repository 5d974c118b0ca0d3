// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.explain;

import io.exaplane.scheduler.model.Cluster;
import io.exaplane.scheduler.placement.Cycle;
import io.exaplane.scheduler.placement.Judgement;
import io.exaplane.scheduler.plugin.Status;
import io.exaplane.scheduler.preemption.Misses;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The text of the event FailedScheduling. Source: pkg/scheduler/framework/types.go, FitError. */
final class FitMessage {
  private static final String NOT_HELPFUL = "Preemption is not helpful for scheduling";

  private FitMessage() {}

  /**
   * What is said of a pod that found no node.
   *
   * @param afterwards what came of the attempts to help it; empty if nothing is said of that
   */
  static String of(Cluster cluster, Judgement judgement, String afterwards) {
    if (cluster.nodeCount() == 0) {
      return "no nodes available to schedule pods";
    }
    Status rejection = judgement.rejection();
    if (rejection != null && rejection.plugin().equals(Cycle.GATES)) {
      return "Scheduling is blocked due to non-empty scheduling gates";
    }
    String refused =
        rejection == null
            ? histogram(cluster, reasons(cluster, judgement))
            : head(cluster)
                + (rejection.reasons().isEmpty()
                    ? ""
                    : " " + String.join(", ", rejection.reasons()) + ".");
    return afterwards.isEmpty() ? refused : refused + " " + afterwards;
  }

  /** What preemption says when nobody's going would help. */
  static String noCandidates(Cluster cluster, Misses misses) {
    Map<String, Integer> reasons = new TreeMap<>(misses.reasons());
    if (misses.nodes() < cluster.nodeCount()) {
      reasons.merge(NOT_HELPFUL, cluster.nodeCount() - misses.nodes(), Integer::sum);
    }
    return histogram(cluster, reasons);
  }

  private static Map<String, Integer> reasons(Cluster cluster, Judgement judgement) {
    Map<String, Integer> reasons = new TreeMap<>();
    for (int node = 0; node < cluster.nodes().size(); node++) {
      if (judgement.isRefused(node)) {
        judgement.refusal(node).reasons().forEach(reason -> reasons.merge(reason, 1, Integer::sum));
      }
    }
    return reasons;
  }

  private static String head(Cluster cluster) {
    return "0/" + cluster.nodeCount() + " nodes are available:";
  }

  private static String histogram(Cluster cluster, Map<String, Integer> reasons) {
    List<String> parts = new ArrayList<>();
    reasons.forEach((reason, count) -> parts.add(count + " " + reason));
    parts.sort(null);
    return parts.isEmpty() ? head(cluster) : head(cluster) + " " + String.join(", ", parts) + ".";
  }
}
