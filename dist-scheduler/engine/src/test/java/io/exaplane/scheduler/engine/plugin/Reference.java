// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.AffinityTerm;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.HostPort;
import io.exaplane.scheduler.engine.model.LabelSelector;
import io.exaplane.scheduler.engine.model.Labels;
import io.exaplane.scheduler.engine.model.Node;
import io.exaplane.scheduler.engine.model.NodeSelector;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.Pod;
import io.exaplane.scheduler.engine.model.PodSpec;
import io.exaplane.scheduler.engine.model.Requests;
import io.exaplane.scheduler.engine.model.SpreadConstraint;
import io.exaplane.scheduler.engine.model.Taint;
import io.exaplane.scheduler.engine.model.Toleration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * kube-scheduler 1.36's rules once more, written to be read: lists of nodes and pods, a loop for
 * each rule, nothing kept from one question to the next. Without volumes and nominations. Longer
 * than others: it is read beside the rules from top to bottom.
 */
final class Reference {
  private static final String HOSTNAME = "kubernetes.io/hostname";

  private final Cluster cluster;
  private final List<Node> nodes = new ArrayList<>();
  private final Map<Node, List<PodSpec>> podsOn = new HashMap<>();

  Reference(Cluster cluster) {
    this.cluster = cluster;
    Map<String, Node> byName = new HashMap<>();
    for (int id = 0; id < cluster.nodes().size(); id++) {
      Node node = cluster.nodes().node(id);
      nodes.add(node);
      byName.put(node.name(), node);
      podsOn.put(node, new ArrayList<>());
    }
    for (PlacedPod placed : cluster.pods()) {
      Pod pod = placed.pod();
      if (!pod.finished() && byName.containsKey(pod.nodeName())) {
        podsOn.get(byName.get(pod.nodeName())).add(pod.spec());
      }
    }
  }

  /** By node, the plugin that refuses it, or its score. */
  Map<String, String> judge(PodSpec pod) {
    Map<String, String> answers = new TreeMap<>();
    List<Node> feasible = new ArrayList<>();
    for (Node node : nodes) {
      String refusedBy = refusedBy(pod, node);
      if (refusedBy == null) {
        feasible.add(node);
      } else {
        answers.put(node.name(), refusedBy);
      }
    }
    Map<Node, Long> totals = totals(pod, feasible);
    feasible.forEach(node -> answers.put(node.name(), "" + totals.get(node)));
    return answers;
  }

  private String refusedBy(PodSpec pod, Node node) {
    Taint cordon = new Taint("node.kubernetes.io/unschedulable", "", "NoSchedule");
    if (node.unschedulable() && !Toleration.anyTolerates(pod.tolerations(), cordon)) {
      return "NodeUnschedulable";
    }
    if (!Toleration.allTolerated(pod.tolerations(), node.taints())) {
      return "TaintToleration";
    }
    if (!pod.affinity().allows(node.name(), node.labels())) {
      return "NodeAffinity";
    }
    if (portsClash(pod, node)) {
      return "NodePorts";
    }
    if (!fits(pod, node)) {
      return "NodeResourcesFit";
    }
    if (!spreads(pod, node)) {
      return "PodTopologySpread";
    }
    if (!likesNeighbours(pod, node)) {
      return "InterPodAffinity";
    }
    return node.features().containsAll(pod.features()) ? null : "NodeDeclaredFeatures";
  }

  private boolean portsClash(PodSpec pod, Node node) {
    for (PodSpec other : podsOn.get(node)) {
      for (HostPort theirs : other.hostPorts()) {
        if (pod.hostPorts().stream().anyMatch(ours -> ours.conflictsWith(theirs))) {
          return true;
        }
      }
    }
    return false;
  }

  private long taken(Node node, ToLongFunction<Requests> resource) {
    return podsOn.get(node).stream().mapToLong(pod -> resource.applyAsLong(pod.requests())).sum();
  }

  private boolean fits(PodSpec pod, Node node) {
    Requests r = pod.requests();
    boolean fits = podsOn.get(node).size() < node.allowedPods();
    fits &=
        fits(
            r.toFit().milliCpu(),
            node.allocatable().milliCpu(),
            taken(node, o -> o.placed().milliCpu()));
    fits &=
        fits(
            r.toFit().memoryBytes(),
            node.allocatable().memoryBytes(),
            taken(node, o -> o.placed().memoryBytes()));
    fits &=
        fits(
            r.toFit().ephemeralStorageBytes(),
            node.allocatable().ephemeralStorageBytes(),
            taken(node, o -> o.placed().ephemeralStorageBytes()));
    for (Map.Entry<String, Long> scalar : r.toFit().scalars().entrySet()) {
      String name = scalar.getKey();
      long has = node.allocatable().scalars().getOrDefault(name, 0L);
      fits &=
          fits(
              scalar.getValue(),
              has,
              taken(node, o -> o.placed().scalars().getOrDefault(name, 0L)));
    }
    return fits;
  }

  private static boolean fits(long wanted, long has, long taken) {
    return wanted == 0 || wanted <= has - taken;
  }

  private List<SpreadConstraint> constraints(PodSpec pod, boolean hard) {
    List<SpreadConstraint> result = new ArrayList<>();
    for (SpreadConstraint c : pod.spread()) {
      LabelSelector selector = c.selector();
      for (String key : c.matchLabelKeys()) {
        if (pod.labels().get(key) != null) {
          selector = LabelSelector.ofLabels(Map.of(key, pod.labels().get(key))).and(selector);
        }
      }
      if (c.hard() == hard) {
        result.add(
            new SpreadConstraint(
                c.maxSkew(),
                c.topologyKey(),
                hard,
                selector,
                c.minDomains(),
                c.honorsAffinity(),
                c.honorsTaints(),
                List.of()));
      }
    }
    LabelSelector together = cluster.surroundings().togetherWith(pod);
    if (pod.spread().isEmpty() && !hard && !together.isEmpty()) {
      result.add(new SpreadConstraint(3, HOSTNAME, false, together, 1, true, false, List.of()));
      result.add(
          new SpreadConstraint(
              5, "topology.kubernetes.io/zone", false, together, 1, true, false, List.of()));
    }
    return result;
  }

  private long matching(PodSpec pod, Node node, LabelSelector selector) {
    return podsOn.get(node).stream()
        .filter(other -> !other.terminating() && other.namespace().equals(pod.namespace()))
        .filter(other -> !selector.isEmpty() && selector.matches(other.labels()))
        .count();
  }

  private static boolean hasKeys(Node node, List<SpreadConstraint> constraints) {
    return constraints.stream().allMatch(c -> node.labels().get(c.topologyKey()) != null);
  }

  private static boolean counts(PodSpec pod, Node node, SpreadConstraint c) {
    return (!c.honorsAffinity() || pod.affinity().allows(node.name(), node.labels()))
        && (!c.honorsTaints() || Toleration.allTolerated(pod.tolerations(), node.taints()));
  }

  /** By value of the key, the pods on nodes that count and have all keys, if they have to. */
  private Map<String, Long> byDomain(
      PodSpec pod, SpreadConstraint c, List<SpreadConstraint> all, boolean allKeys) {
    Map<String, Long> sums = new HashMap<>();
    for (Node node : nodes) {
      String value = node.labels().get(c.topologyKey());
      String domain = value == null && !allKeys ? "" : value;
      if (domain != null && (!allKeys || hasKeys(node, all)) && counts(pod, node, c)) {
        sums.merge(domain, matching(pod, node, c.selector()), Long::sum);
      }
    }
    return sums;
  }

  private boolean spreads(PodSpec pod, Node node) {
    List<SpreadConstraint> all = constraints(pod, true);
    for (SpreadConstraint c : all) {
      String domain = node.labels().get(c.topologyKey());
      if (domain == null) {
        return false;
      }
      Map<String, Long> sums = byDomain(pod, c, all, true);
      long min = sums.values().stream().mapToLong(sum -> sum).min().orElse(0);
      long least = sums.size() < c.minDomains() ? 0 : min;
      long self = c.selector().matches(pod.labels()) ? 1 : 0;
      if (sums.getOrDefault(domain, 0L) + self - least > c.maxSkew()) {
        return false;
      }
    }
    return true;
  }

  private AffinityTerm resolved(AffinityTerm term) {
    LabelSelector selector = term.namespaceSelector();
    if (selector.isEmpty() || selector.matchesNothing()) {
      return term;
    }
    var names = cluster.surroundings().namespaces(selector);
    names.addAll(term.namespaces());
    return new AffinityTerm(names, selector, term.selector(), term.topologyKey());
  }

  private boolean ours(AffinityTerm term, PodSpec other) {
    return resolved(term).matches(other.namespace(), other.labels(), Labels.NONE);
  }

  private boolean theirs(AffinityTerm term, PodSpec pod) {
    Labels namespace = cluster.surroundings().namespaceLabels(pod.namespace());
    return term.matches(pod.namespace(), pod.labels(), namespace);
  }

  private static boolean sameDomain(Node one, Node other, String key) {
    return one.labels().get(key) != null && one.labels().get(key).equals(other.labels().get(key));
  }

  private boolean likesNeighbours(PodSpec pod, Node node) {
    List<AffinityTerm> near = pod.neighbours().requiredAffinity();
    boolean everywhere = near.stream().allMatch(t -> node.labels().get(t.topologyKey()) != null);
    boolean all = true;
    boolean anyAnywhere = false;
    for (AffinityTerm term : near) {
      boolean present = false;
      for (Node where : nodes) {
        for (PodSpec other : podsOn.get(where)) {
          boolean wanted = near.stream().allMatch(t -> ours(t, other));
          present |= wanted && sameDomain(node, where, term.topologyKey());
          anyAnywhere |= wanted && where.labels().get(term.topologyKey()) != null;
        }
      }
      all &= present;
    }
    boolean first = !anyAnywhere && near.stream().allMatch(t -> ours(t, pod));
    if (!near.isEmpty() && (!everywhere || (!all && !first))) {
      return false;
    }
    for (Node where : nodes) {
      for (PodSpec other : podsOn.get(where)) {
        for (AffinityTerm term : pod.neighbours().requiredAntiAffinity()) {
          if (sameDomain(node, where, term.topologyKey()) && ours(term, other)) {
            return false;
          }
        }
        for (AffinityTerm term : other.neighbours().requiredAntiAffinity()) {
          if (sameDomain(node, where, term.topologyKey()) && theirs(term, pod)) {
            return false;
          }
        }
      }
    }
    return true;
  }

  private Map<Node, Long> totals(PodSpec pod, List<Node> feasible) {
    Map<Node, Long> totals = new LinkedHashMap<>();
    feasible.forEach(node -> totals.put(node, 0L));
    if (feasible.size() < 2) {
      return totals;
    }
    add(3, byMax(raw(feasible, node -> untolerated(pod, node)), true), totals);
    add(2, byMax(raw(feasible, node -> preference(pod, node)), false), totals);
    add(1, raw(feasible, node -> leastAllocated(pod, node)), totals);
    add(2, spread(pod, feasible), totals);
    add(2, neighbours(pod, feasible), totals);
    add(1, raw(feasible, node -> balance(pod, node)), totals);
    add(1, raw(feasible, node -> images(pod, node)), totals);
    return totals;
  }

  private static Map<Node, Long> raw(List<Node> feasible, ToLongFunction<Node> score) {
    Map<Node, Long> scores = new LinkedHashMap<>();
    feasible.forEach(node -> scores.put(node, score.applyAsLong(node)));
    return scores;
  }

  private static void add(int weight, Map<Node, Long> scores, Map<Node, Long> totals) {
    scores.forEach((node, score) -> totals.merge(node, weight * score, Long::sum));
  }

  private static Map<Node, Long> byMax(Map<Node, Long> raw, boolean reverse) {
    long max = raw.values().stream().mapToLong(s -> s).max().orElse(0);
    raw.replaceAll(
        (node, score) -> {
          long scaled = max == 0 ? score : 100 * score / max;
          return reverse ? 100 - scaled : scaled;
        });
    return raw;
  }

  private static long untolerated(PodSpec pod, Node node) {
    List<Toleration> soft =
        pod.tolerations().stream()
            .filter(t -> t.effect().isEmpty() || t.effect().equals("PreferNoSchedule"))
            .toList();
    return node.taints().stream()
        .filter(t -> t.effect().equals("PreferNoSchedule") && !Toleration.anyTolerates(soft, t))
        .count();
  }

  private static long preference(PodSpec pod, Node node) {
    return pod.affinity().preferred().stream()
        .filter(p -> p.term().matches(node.name(), node.labels()))
        .mapToLong(NodeSelector.Preferred::weight)
        .sum();
  }

  private long leastAllocated(PodSpec pod, Node node) {
    long cpu =
        taken(node, Requests::nonZeroMilliCpu) + pod.requests().fitScore().getOrDefault("cpu", 0L);
    long memory =
        taken(node, Requests::nonZeroMemoryBytes)
            + pod.requests().fitScore().getOrDefault("memory", 0L);
    long sum = 0;
    int count = 0;
    for (long[] used :
        new long[][] {
          {cpu, node.allocatable().milliCpu()}, {memory, node.allocatable().memoryBytes()}
        }) {
      if (used[1] > 0) {
        sum += used[0] > used[1] ? 0 : (used[1] - used[0]) * 100 / used[1];
        count++;
      }
    }
    return count == 0 ? 0 : sum / count;
  }

  private long balance(PodSpec pod, Node node) {
    long cpu = pod.requests().balanceScore().getOrDefault("cpu", 0L);
    long memory = pod.requests().balanceScore().getOrDefault("memory", 0L);
    if (cpu == 0 && memory == 0) {
      return 0;
    }
    long with = evenness(node, cpu, memory);
    return 50 + (50 + with - evenness(node, 0, 0)) / 2;
  }

  private long evenness(Node node, long cpu, long memory) {
    if (node.allocatable().milliCpu() == 0 || node.allocatable().memoryBytes() == 0) {
      return 100;
    }
    double ofCpu =
        Math.min(
            1,
            (double) (taken(node, r -> r.placed().milliCpu()) + cpu)
                / node.allocatable().milliCpu());
    double ofMemory =
        Math.min(
            1,
            (double) (taken(node, r -> r.placed().memoryBytes()) + memory)
                / node.allocatable().memoryBytes());
    return (long) ((1 - Math.abs((ofCpu - ofMemory) / 2)) * 100);
  }

  private long images(PodSpec pod, Node node) {
    long sum = 0;
    for (String image : pod.images()) {
      Long size = node.images().get(image);
      if (size != null) {
        long having = nodes.stream().filter(n -> n.images().containsKey(image)).count();
        sum += (long) (size * ((double) having / nodes.size()));
      }
    }
    long least = 23L << 20;
    long most = (1000L << 20) * pod.containerCount();
    return 100 * (Math.max(least, Math.min(most, sum)) - least) / (most - least);
  }

  private Map<Node, Long> spread(PodSpec pod, List<Node> feasible) {
    List<SpreadConstraint> all = constraints(pod, false);
    if (all.isEmpty()) {
      return Map.of();
    }
    boolean allKeys = !pod.spread().isEmpty();
    List<Node> scored = feasible.stream().filter(node -> !allKeys || hasKeys(node, all)).toList();
    Map<Node, Double> sums = new HashMap<>();
    scored.forEach(node -> sums.put(node, 0.0));
    for (SpreadConstraint c : all) {
      Set<String> domains = new HashSet<>();
      for (Node node : scored) {
        String value = node.labels().get(c.topologyKey());
        domains.add(value == null ? "" : value);
      }
      boolean perNode = c.topologyKey().equals(HOSTNAME);
      double weight = GoMath.log((perNode ? scored.size() : domains.size()) + 2);
      Map<String, Long> byDomain = byDomain(pod, c, all, allKeys);
      for (Node node : scored) {
        String domain = node.labels().get(c.topologyKey());
        if (domain != null) {
          long pods =
              perNode ? matching(pod, node, c.selector()) : byDomain.getOrDefault(domain, 0L);
          sums.merge(node, pods * weight + (c.maxSkew() - 1), Double::sum);
        }
      }
    }
    long max = sums.values().stream().mapToLong(Math::round).max().orElse(0);
    long min = sums.values().stream().mapToLong(Math::round).min().orElse(0);
    Map<Node, Long> scores = new HashMap<>();
    sums.forEach(
        (node, sum) ->
            scores.put(node, max == 0 ? 100 : 100 * (max + min - Math.round(sum)) / max));
    return scores;
  }

  private Map<Node, Long> neighbours(PodSpec pod, List<Node> feasible) {
    Map<Node, Long> raw = raw(feasible, node -> 0);
    for (Node where : nodes) {
      for (PodSpec other : podsOn.get(where)) {
        for (Node node : feasible) {
          raw.merge(node, worth(pod, node, other, where), Long::sum);
        }
      }
    }
    long max = raw.values().stream().mapToLong(s -> s).max().orElse(0);
    long min = raw.values().stream().mapToLong(s -> s).min().orElse(0);
    raw.replaceAll((node, s) -> max == min ? 0 : (long) (100 * ((double) (s - min) / (max - min))));
    return raw;
  }

  private long worth(PodSpec pod, Node node, PodSpec other, Node where) {
    long worth = 0;
    for (AffinityTerm.Weighted w : pod.neighbours().preferredAffinity()) {
      worth +=
          sameDomain(node, where, w.term().topologyKey()) && ours(w.term(), other) ? w.weight() : 0;
    }
    for (AffinityTerm.Weighted w : pod.neighbours().preferredAntiAffinity()) {
      worth -=
          sameDomain(node, where, w.term().topologyKey()) && ours(w.term(), other) ? w.weight() : 0;
    }
    for (AffinityTerm term : other.neighbours().requiredAffinity()) {
      worth += sameDomain(node, where, term.topologyKey()) && theirs(term, pod) ? 1 : 0;
    }
    for (AffinityTerm.Weighted w : other.neighbours().preferredAffinity()) {
      worth +=
          sameDomain(node, where, w.term().topologyKey()) && theirs(w.term(), pod) ? w.weight() : 0;
    }
    for (AffinityTerm.Weighted w : other.neighbours().preferredAntiAffinity()) {
      worth -=
          sameDomain(node, where, w.term().topologyKey()) && theirs(w.term(), pod) ? w.weight() : 0;
    }
    return worth;
  }
}
