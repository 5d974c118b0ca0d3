// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.scheduler.engine.decision.ClaimEffects;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.DisruptionBudget;
import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.tuning.model.InvalidInputException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * What draining nodes makes of a cluster's objects: the nodes take no more pods, and the pods on
 * them wait for another one. Pods of DaemonSets and static ones stay, as 'kubectl drain
 * --ignore-daemonsets' leaves them; those that are being deleted are gone.
 */
final class Drain {
  private static final String MIRROR = "kubernetes.io/config.mirror";

  /** Their successors are made when others wait already. */
  private static final String LAST = "2262-01-01T00:00:00Z";

  private final Set<String> nodes;
  private final Set<String> cordoned;
  private final EphemeralClaims claims = new EphemeralClaims();
  private final List<String> evicted = new ArrayList<>();
  private final List<String> orphans = new ArrayList<>();
  private final List<String> withLocalData = new ArrayList<>();

  /**
   * Of these nodes.
   *
   * @param cordoned nodes that take no more pods, and keep theirs
   */
  Drain(Set<String> nodes, Set<String> cordoned) {
    this.nodes = trimmed(nodes);
    this.cordoned = trimmed(cordoned);
  }

  private static Set<String> trimmed(Set<String> names) {
    return names.stream().map(String::trim).collect(Collectors.toSet());
  }

  /** An object as it is after that; null if it is gone. */
  Map<String, Object> applied(Map<String, Object> object) {
    Fields fields = Fields.ofObject(object);
    return switch (String.valueOf(object.get("kind"))) {
      case "Node" -> {
        String name = fields.child("metadata").string("name");
        yield nodes.contains(name) || cordoned.contains(name) ? cordoned(object) : object;
      }
      case "Pod" ->
          nodes.contains(fields.child("spec").string("nodeName"))
              ? evicted(object, fields)
              : object;
      default -> object;
    };
  }

  private static Map<String, Object> cordoned(Map<String, Object> node) {
    return with(node, "spec", spec -> spec.put("unschedulable", true));
  }

  private Map<String, Object> evicted(Map<String, Object> pod, Fields fields) {
    Fields meta = fields.child("metadata");
    String phase = fields.child("status").string("phase");
    List<Fields> owners = meta.children("ownerReferences");
    boolean ofDaemonSet = owners.stream().anyMatch(o -> o.string("kind").equals("DaemonSet"));
    if (ofDaemonSet || meta.child("annotations").has(MIRROR)) {
      return pod;
    }
    if (meta.has("deletionTimestamp") || phase.equals("Succeeded") || phase.equals("Failed")) {
      claims.leaves(pod, false);
      return null;
    }
    String key = meta.string("namespace", "default") + "/" + meta.string("name");
    evicted.add(key);
    claims.leaves(pod, true);
    if (owners.isEmpty()) {
      orphans.add(key);
    }
    if (fields.child("spec").children("volumes").stream().anyMatch(v -> v.has("emptyDir"))) {
      withLocalData.add(key);
    }
    Map<String, Object> waiting = with(pod, "spec", spec -> spec.remove("nodeName"));
    waiting = with(waiting, "metadata", made -> made.put("creationTimestamp", LAST));
    return with(
        waiting,
        "status",
        status -> {
          status.put("phase", "Pending");
          status.remove("startTime");
          status.remove("nominatedNodeName");
        });
  }

  private static Map<String, Object> with(
      Map<String, Object> object, String part, Consumer<Map<String, Object>> to) {
    Map<String, Object> changed = new LinkedHashMap<>();
    if (object.get(part) instanceof Map<?, ?> before) {
      before.forEach((name, value) -> changed.put((String) name, value));
    }
    to.accept(changed);
    Map<String, Object> copy = new LinkedHashMap<>(object);
    copy.put(part, changed);
    return copy;
  }

  /**
   * To be called when all objects are there: takes devices from claims that only evicted pods used,
   * makes their ephemeral claims anew, and says what would keep a real drain from going like this.
   *
   * @param objects takes the new claims
   * @throws InvalidInputException if a node is not there
   */
  void finish(Cluster cluster, Consumer<Map<String, Object>> objects, PrintWriter err) {
    mustBeThere("drain", nodes, cluster);
    mustBeThere("cordon", cordoned, cluster);
    for (String key : evicted) {
      PlacedPod pod = cluster.pod(key);
      if (pod != null) {
        ClaimEffects.evicted(pod, cluster.devices());
      }
    }
    claims.finish(cluster, objects);
    warn(cluster, err);
  }

  private static void mustBeThere(String option, Set<String> names, Cluster cluster) {
    for (String node : names) {
      if (cluster.nodeId(node) < 0) {
        throw new InvalidInputException(
            option, node, "must be a node in the files", "name a node that the files contain");
      }
    }
  }

  private void warn(Cluster cluster, PrintWriter err) {
    for (String key : orphans) {
      err.println(
          "warning: pod %s has no controller. 'kubectl drain' needs --force, and nothing creates the pod again. The simulator looks for another node for this pod"
              .formatted(key));
    }
    if (!withLocalData.isEmpty()) {
      err.println(
          "warning: %d pods have emptyDir volumes, and lose their data. 'kubectl drain' needs --delete-emptydir-data: %s"
              .formatted(withLocalData.size(), Assumptions.some(withLocalData)));
    }
    warnAboutBudgets(cluster, err);
  }

  private void warnAboutBudgets(Cluster cluster, PrintWriter err) {
    for (String key : evicted) {
      PlacedPod pod = cluster.pod(key);
      List<String> several =
          cluster.surroundings().budgets().stream()
              .filter(budget -> pod != null && budget.covers(pod.pod()))
              .map(budget -> budget.namespace() + "/" + budget.name())
              .toList();
      if (several.size() > 1) {
        err.println(
            "warning: pod %s has more than one PodDisruptionBudget: %s. An API server refuses to evict the pod, and a real drain fails"
                .formatted(key, String.join(", ", several)));
      }
    }
    for (DisruptionBudget budget : cluster.surroundings().budgets()) {
      long covered =
          evicted.stream()
              .map(cluster::pod)
              .filter(pod -> pod != null && budget.covers(pod.pod()))
              .count();
      if (covered > budget.disruptionsAllowed()) {
        err.println(
            "warning: PodDisruptionBudget %s/%s allows %d disruptions, but %d of its pods are drained; a real drain waits"
                .formatted(
                    budget.namespace(), budget.name(), budget.disruptionsAllowed(), covered));
      }
    }
  }
}
