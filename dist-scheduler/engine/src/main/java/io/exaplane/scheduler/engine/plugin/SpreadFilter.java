// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.DomainSums;
import io.exaplane.scheduler.engine.model.PodSpec;
import io.exaplane.scheduler.engine.model.SpreadConstraint;
import io.exaplane.scheduler.engine.model.Topology;
import java.util.Arrays;
import java.util.List;

/**
 * Refuses nodes in whose domain there would be too many pods. Source:
 * pkg/scheduler/framework/plugins/podtopologyspread/filtering.go.
 */
final class SpreadFilter extends Filter {
  private static final Status NO_KEY =
      Status.unresolvable(
          PodTopologySpread.NAME,
          "node(s) didn't match pod topology spread constraints (missing required label)");
  private static final Status SKEWED =
      Status.unschedulable(
          PodTopologySpread.NAME, "node(s) didn't match pod topology spread constraints");

  private final List<SpreadConstraint> constraints;
  private final SpreadCounts counts;
  private final int[] self;

  SpreadFilter(PodSpec pod, Cluster cluster, List<SpreadConstraint> constraints) {
    super(PodTopologySpread.NAME);
    this.constraints = constraints;
    counts = new SpreadCounts(pod, cluster, constraints, true, true);
    self = constraints.stream().mapToInt(c -> c.selector().matches(pod.labels()) ? 1 : 0).toArray();
  }

  @Override
  public long test(int node) {
    for (int i = 0; i < self.length; i++) {
      int domain = counts.topologies[i].domain(node);
      if (domain == Topology.NONE) {
        return 2;
      }
      SpreadConstraint constraint = constraints.get(i);
      int min = counts.sums[i].domains() < constraint.minDomains() ? 0 : counts.sums[i].min();
      if (counts.sums[i].of(domain) + self[i] - min > constraint.maxSkew()) {
        return 1;
      }
    }
    return PASSES;
  }

  @Override
  public List<Coordinate> coordinates() {
    return Arrays.stream(counts.sums).map(Coordinate::of).toList();
  }

  @Override
  public Status explain(long verdict) {
    return verdict == 2 ? NO_KEY : SKEWED;
  }

  @Override
  public void added(PodSpec pod, int node) {
    counts.adjust(pod, node, 1);
  }

  @Override
  public void removed(PodSpec pod, int node) {
    counts.adjust(pod, node, -1);
  }

  @Override
  public List<DomainSums> sums() {
    return List.of(counts.sums);
  }

  @Override
  public void close() {
    counts.close();
  }
}
