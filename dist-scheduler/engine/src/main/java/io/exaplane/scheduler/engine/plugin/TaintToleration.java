// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.NodeTable;
import io.exaplane.scheduler.engine.model.PodClass;
import io.exaplane.scheduler.engine.model.Taint;
import io.exaplane.scheduler.engine.model.Toleration;
import java.util.List;

/**
 * Keeps pods from nodes with taints that they do not tolerate, and prefers nodes with fewer of
 * those that only discourage.
 */
public final class TaintToleration implements Plugin {
  private static final String NAME = "TaintToleration";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Filter filter(PodClass pods, Cluster cluster) {
    List<Toleration> tolerations = pods.spec().tolerations();
    NodeTable nodes = cluster.nodes();
    return new StaticFilter(NAME, "node(s) had untolerated taint(s)") {
      @Override
      boolean passes(int node) {
        List<Taint> taints = nodes.node(node).taints();
        return taints.isEmpty() || Toleration.allTolerated(tolerations, taints);
      }
    };
  }

  @Override
  public Scorer scorer(PodClass pods, Cluster cluster) {
    List<Toleration> tolerations =
        pods.spec().tolerations().stream()
            .filter(t -> t.effect().isEmpty() || t.effect().equals(Taint.PREFER_NO_SCHEDULE))
            .toList();
    NodeTable nodes = cluster.nodes();
    return new ScorerByMax(NAME, true) {
      @Override
      public long score(int node) {
        long untolerated = 0;
        for (Taint taint : nodes.node(node).taints()) {
          if (taint.effect().equals(Taint.PREFER_NO_SCHEDULE)
              && !Toleration.anyTolerates(tolerations, taint)) {
            untolerated++;
          }
        }
        return untolerated;
      }
    };
  }
}
