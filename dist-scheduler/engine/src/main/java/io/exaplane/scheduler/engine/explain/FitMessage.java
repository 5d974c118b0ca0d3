// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.explain;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.placement.Gates;
import io.exaplane.scheduler.engine.placement.Judgement;
import io.exaplane.scheduler.engine.plugin.Status;
import io.exaplane.scheduler.engine.preemption.Misses;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The text of the event FailedScheduling. Source: pkg/scheduler/framework/types.go, FitError. */
public final class FitMessage {
  private static final String NOT_HELPFUL = "Preemption is not helpful for scheduling";

  private FitMessage() {}

  /**
   * What is said of a pod that found no node.
   *
   * @param nodes how many nodes there are
   * @param rejection why none of them was asked, or null
   * @param reasons otherwise, by reason, how many of them gave it
   * @param afterwards what came of the attempts to help it; empty if nothing is said of that
   */
  public static String of(
      int nodes, Status rejection, Map<String, Integer> reasons, String afterwards) {
    if (nodes == 0) {
      return "no nodes available to schedule pods";
    }
    if (rejection != null && rejection.plugin().equals(Gates.NAME)) {
      return "Scheduling is blocked due to non-empty scheduling gates";
    }
    String refused =
        rejection == null
            ? histogram(nodes, reasons)
            : head(nodes)
                + (rejection.reasons().isEmpty()
                    ? ""
                    : " " + String.join(", ", rejection.reasons()) + ".");
    return afterwards.isEmpty() ? refused : refused + " " + afterwards;
  }

  /** What preemption says when nobody's going would help. */
  public static String noCandidates(int nodes, Misses misses) {
    Map<String, Integer> reasons = new TreeMap<>(misses.reasons());
    if (misses.nodes() < nodes) {
      reasons.merge(NOT_HELPFUL, nodes - misses.nodes(), Integer::sum);
    }
    return histogram(nodes, reasons);
  }

  /** By reason, how many of a cluster's nodes gave it. */
  public static Map<String, Integer> reasons(Cluster cluster, Judgement judgement) {
    Map<String, Integer> reasons = new TreeMap<>();
    for (int node = 0; node < cluster.nodes().size(); node++) {
      if (judgement.isRefused(node)) {
        judgement.refusal(node).reasons().forEach(reason -> reasons.merge(reason, 1, Integer::sum));
      }
    }
    return reasons;
  }

  private static String head(int nodes) {
    return "0/" + nodes + " nodes are available:";
  }

  private static String histogram(int nodes, Map<String, Integer> reasons) {
    List<String> parts = new ArrayList<>();
    reasons.forEach((reason, count) -> parts.add(count + " " + reason));
    parts.sort(null);
    return parts.isEmpty() ? head(nodes) : head(nodes) + " " + String.join(", ", parts) + ".";
  }
}
