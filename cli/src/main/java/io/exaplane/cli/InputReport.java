// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.InvalidObjectException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What files held, in so far as people should know: that nothing waits, and what an API server or a
 * controller would have filled in. For one thread.
 */
final class InputReport {
  private static final Set<String> MADE_FOR_PEOPLE =
      Set.of("Table", "PartialObjectMetadata", "PartialObjectMetadataList");

  private final Map<String, Integer> passedOver = new TreeMap<>();
  private final Set<String> brokenOff = new TreeSet<>();
  private int withoutPriority;
  private int withoutRequests;
  private int withoutStatus;

  /**
   * Takes an object.
   *
   * @param decides whether anything is decided by its kind
   * @throws InvalidObjectException if it is an API server's answer that there are no objects
   */
  void take(Fields object, boolean decides) {
    String kind = object.string("kind");
    if (kind.equals("Status") && object.has("code")) {
      throw new InvalidObjectException(
          "Status",
          object.string("message"),
          "this is what an API server answered instead of objects",
          "ask it again");
    }
    if (MADE_FOR_PEOPLE.contains(kind) && object.string("apiVersion").startsWith("meta.k8s.io/")) {
      throw new InvalidObjectException(
          "kind", kind, "it has no whole objects", "ask the API server without 'as=' in Accept");
    }
    if (!decides) {
      passedOver.merge(kind.isEmpty() ? "no kind" : kind, 1, Integer::sum);
    } else if (kind.equals("Pod") && object.child("spec").string("nodeName").isEmpty()) {
      takePending(object.child("spec"));
    } else if (kind.equals("PodDisruptionBudget") && !object.has("status")) {
      withoutStatus++;
    }
  }

  /** Takes a list that was read, and whether the server has more of it. */
  void takeList(String kind, boolean more) {
    if (more) {
      brokenOff.add(kind);
    } else {
      brokenOff.remove(kind);
    }
  }

  /** Kinds of which the server has more. */
  Set<String> brokenOff() {
    return Set.copyOf(brokenOff);
  }

  private void takePending(Fields spec) {
    if (!spec.string("priorityClassName").isEmpty() && !spec.has("priority")) {
      withoutPriority++;
    }
    boolean lacks = lacksRequests(spec);
    for (String list : List.of("containers", "initContainers")) {
      for (Fields container : spec.children(list)) {
        lacks |= lacksRequests(container);
      }
    }
    withoutRequests += lacks ? 1 : 0;
  }

  /** An API server asks for what is limited, resource by resource. */
  private static boolean lacksRequests(Fields parent) {
    Fields requests = parent.child("resources").child("requests");
    for (String resource : parent.child("resources").child("limits").names()) {
      if (!requests.has(resource)) {
        return true;
      }
    }
    return false;
  }

  void print(Cluster cluster, PrintWriter err) {
    warn(
        withoutPriority,
        "spec.priorityClassName: %d pending pods have one and no priority, which counts as 0; write the class's value to spec.priority",
        err);
    warn(
        withoutRequests,
        "limits: %d pending pods have some that requests lack, and ask for nothing of these here; write them to requests, too, as an API server does",
        err);
    warn(
        withoutStatus,
        "PodDisruptionBudget: %d have no status.disruptionsAllowed, which counts as 0; write how many pods may go",
        err);
    warn(
        passedOver.getOrDefault("no kind", 0),
        "kind: %d objects have none and were passed over; give them one",
        err);
    for (String kind : brokenOff) {
      err.println(
          "warning: metadata.continue: the server has more of %s; ask it without limit, or for all pages"
              .formatted(kind));
    }
    if (cluster.pods().stream().noneMatch(pod -> pod.pod().nodeName().isEmpty())) {
      String others =
          passedOver.entrySet().stream()
              .map(kind -> kind.getValue() + " " + kind.getKey())
              .collect(Collectors.joining(", "));
      err.printf(
          "warning: no pod is pending: there are %d nodes and %d pods on nodes%s%n",
          cluster.nodesHere(),
          cluster.pods().size(),
          others.isEmpty() ? "" : "; passed over: " + others);
    }
  }

  private static void warn(int count, String text, PrintWriter err) {
    if (count > 0) {
      err.println("warning: " + text.formatted(count));
    }
  }
}
