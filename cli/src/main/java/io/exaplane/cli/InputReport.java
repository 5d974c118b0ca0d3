// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.InvalidObjectException;
import io.exaplane.tuning.model.InvalidInputException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashSet;
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
  private final Set<String> withOldTaints = new TreeSet<>();
  private final Set<String> beingDeleted = new TreeSet<>();
  private boolean any;
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
          "this is an error of an API server, not a list of objects",
          "ask the API server again");
    }
    if (MADE_FOR_PEOPLE.contains(kind) && object.string("apiVersion").startsWith("meta.k8s.io/")) {
      throw new InvalidObjectException(
          "kind", kind, "the objects are incomplete", "ask the API server without 'as=' in Accept");
    }
    any |= !kind.isEmpty();
    if (!decides) {
      passedOver.merge(kind.isEmpty() ? "no kind" : kind, 1, Integer::sum);
    } else if (kind.equals("Pod") && object.child("spec").string("nodeName").isEmpty()) {
      takePending(object.child("spec"));
    } else if (kind.equals("PodDisruptionBudget") && !object.has("status")) {
      withoutStatus++;
    }
  }

  /** Takes a node as it is in a file, and as a running cluster would have it. */
  void takeNode(Fields given, Fields now) {
    Set<String> kept = new HashSet<>();
    now.child("spec").children("taints").forEach(taint -> kept.add(key(taint)));
    String name = given.child("metadata").string("name");
    if (given.child("spec").children("taints").stream().anyMatch(t -> !kept.contains(key(t)))) {
      withOldTaints.add(name);
    }
    if (given.child("metadata").has("deletionTimestamp")) {
      beingDeleted.add(name);
    }
  }

  private static String key(Fields taint) {
    return taint.string("key") + ":" + taint.string("effect");
  }

  /** Takes a list that was read, and whether the server has more of it. */
  void takeList(String kind, boolean more) {
    any = true;
    if (more) {
      brokenOff.add(kind);
    } else {
      brokenOff.remove(kind);
    }
  }

  /**
   * Requires that there was an object, or a list without any.
   *
   * @throws InvalidInputException if the files hold something else, or nothing
   */
  void requireAny(List<Path> files) {
    if (!any) {
      String names = files.stream().map(Path::toString).collect(Collectors.joining(", "));
      throw new InvalidInputException(
          "file",
          names,
          passedOver.isEmpty() ? "is empty" : "contains no Kubernetes object with a kind",
          "write a file with 'kubectl get nodes,pods -A -o json > FILE'");
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
        "spec.priorityClassName: %d pending pods have a class but no priority, which counts as "
            + "0; write the class's value to spec.priority",
        err);
    warn(
        withoutRequests,
        "limits: %d pending pods have limits without requests, and request nothing of those "
            + "resources; write the limits to requests, as an API server does",
        err);
    warn(
        withoutStatus,
        "PodDisruptionBudget: %d have no status.disruptionsAllowed, which counts as 0; write "
            + "the number of pods that may be evicted",
        err);
    warn(
        passedOver.getOrDefault("no kind", 0),
        "kind: %d objects have no kind and were ignored; add the kind",
        err);
    warn(
        withOldTaints.size(),
        "spec.taints: %d nodes have a taint of a condition or of spec.unschedulable that is no "
            + "longer so. A running cluster removes the taint, and so does the simulator: "
            + Assumptions.some(withOldTaints),
        err);
    warn(
        beingDeleted.size(),
        "metadata.deletionTimestamp: %d nodes are being deleted. kube-scheduler still places pods "
            + "on them; to place none, use --cordon: "
            + Assumptions.some(beingDeleted),
        err);
    for (String kind : brokenOff) {
      err.println(
          "warning: metadata.continue: the server has more objects of %s; ask without a limit, or for all pages"
              .formatted(kind));
    }
    if (cluster.pods().stream().noneMatch(pod -> pod.pod().nodeName().isEmpty())) {
      String others =
          passedOver.entrySet().stream()
              .map(kind -> kind.getValue() + " " + kind.getKey())
              .collect(Collectors.joining(", "));
      err.printf(
          "warning: no pod is pending; the files have %d nodes and %d pods on nodes%s%n",
          cluster.nodesHere(),
          cluster.pods().size(),
          others.isEmpty() ? "" : ", and ignore: " + others);
    }
  }

  private static void warn(int count, String text, PrintWriter err) {
    if (count > 0) {
      err.println("warning: " + text.formatted(count));
    }
  }
}
