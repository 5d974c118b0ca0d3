// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.DomainSums;
import io.exaplane.scheduler.engine.model.Label;
import io.exaplane.scheduler.engine.model.LabelSelector;
import io.exaplane.scheduler.engine.model.Node;
import io.exaplane.scheduler.engine.model.NodeTable;
import io.exaplane.scheduler.engine.model.PodCounter;
import io.exaplane.scheduler.engine.model.PodSpec;
import io.exaplane.scheduler.engine.model.SpreadConstraint;
import io.exaplane.scheduler.engine.model.Toleration;
import io.exaplane.scheduler.engine.model.Topology;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** The pods that a list of constraints counts, by domain, kept up to date. */
final class SpreadCounts {
  private final PodSpec pod;
  private final List<SpreadConstraint> constraints;
  final Topology[] topologies;
  final PodCounter[] counters;
  final DomainSums[] sums;

  /** Pods that count: of the pod's namespace, not being deleted; an empty selector counts none. */
  private record SpreadPods(String namespace, LabelSelector selector)
      implements PodCounter.Matcher {
    @Override
    public int times(PodSpec pod) {
      boolean matches =
          namespace.equals(pod.namespace())
              && !selector.isEmpty()
              && selector.matches(pod.labels());
      return matches && !pod.terminating() ? 1 : 0;
    }

    @Override
    public List<Label> marks() {
      return Label.of(selector);
    }
  }

  /**
   * Which nodes count.
   *
   * @param affinity that they have to match; null if any does
   * @param tolerations of their taints; null if none matter
   * @param keys that they must have
   */
  private record SpreadNodes(
      PodSpec.NodeChoice affinity, List<Toleration> tolerations, List<String> keys) {
    SpreadNodes(PodSpec pod, SpreadConstraint constraint, List<String> keys) {
      this(
          constraint.honorsAffinity() ? pod.affinity() : null,
          constraint.honorsTaints() ? pod.tolerations() : null,
          keys);
    }
  }

  private static List<String> keys(List<SpreadConstraint> constraints) {
    return constraints.stream().map(SpreadConstraint::topologyKey).toList();
  }

  /**
   * Begins to count.
   *
   * @param allKeys whether nodes count only if they have the keys of all constraints; otherwise
   *     those without a key are in the domain of the empty value
   * @param withMin whether the smallest sums will be asked for
   */
  SpreadCounts(
      PodSpec pod,
      Cluster cluster,
      List<SpreadConstraint> constraints,
      boolean allKeys,
      boolean withMin) {
    this.pod = pod;
    this.constraints = constraints;
    int n = constraints.size();
    topologies = new Topology[n];
    counters = new PodCounter[n];
    sums = new DomainSums[n];
    for (int i = 0; i < n; i++) {
      topologies[i] = cluster.topology(constraints.get(i).topologyKey());
      counters[i] = cluster.counter(new SpreadPods(pod.namespace(), constraints.get(i).selector()));
    }
    for (int i = 0; i < n; i++) {
      int missing = allKeys ? Topology.NONE : topologies[i].emptyDomain();
      SpreadConstraint constraint = constraints.get(i);
      DomainSums.Of of =
          new DomainSums.Of(
              counters[i],
              topologies[i],
              new SpreadNodes(pod, constraint, allKeys ? keys(constraints) : List.of()),
              () -> eligible(cluster, constraint, allKeys),
              withMin,
              missing);
      sums[i] = cluster.sums(of);
    }
  }

  private BitSet eligible(Cluster cluster, SpreadConstraint constraint, boolean allKeys) {
    NodeTable nodes = cluster.nodes();
    BitSet eligible = new BitSet(nodes.size());
    for (int id = 0; id < nodes.size(); id++) {
      Node node = nodes.node(id);
      boolean counts =
          node != null
              && (!allKeys || hasAllKeys(id))
              && (!constraint.honorsAffinity() || pod.affinity().allows(node.name(), node.labels()))
              && (!constraint.honorsTaints()
                  || Toleration.allTolerated(pod.tolerations(), node.taints()));
      eligible.set(id, counts);
    }
    return eligible;
  }

  boolean hasAllKeys(int node) {
    for (Topology topology : topologies) {
      if (topology.domain(node) == Topology.NONE) {
        return false;
      }
    }
    return true;
  }

  /**
   * kube-scheduler forgets, when it tries what preemption or pods that wait for a node would bring,
   * that pods that are being deleted do not count, and that none does for an empty selector.
   * Source: pkg/scheduler/framework/plugins/podtopologyspread/filtering.go, updateWithPod.
   */
  void adjust(PodSpec other, int node, int delta) {
    if (!pod.namespace().equals(other.namespace())) {
      return;
    }
    for (int i = 0; i < sums.length; i++) {
      LabelSelector selector = constraints.get(i).selector();
      boolean notCounted = other.terminating() || selector.isEmpty();
      if (notCounted && selector.matches(other.labels()) && isFirst(i)) {
        sums[i].adjust(node, delta);
      }
    }
  }

  /** Whether no constraint before it has the same sums. */
  private boolean isFirst(int constraint) {
    return Arrays.asList(sums).indexOf(sums[constraint]) == constraint;
  }

  void close() {
    for (DomainSums sum : sums) {
      sum.close();
    }
    for (PodCounter counter : counters) {
      counter.release();
    }
  }
}
