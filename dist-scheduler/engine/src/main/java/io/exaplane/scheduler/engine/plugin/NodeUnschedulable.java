// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.NodeTable;
import io.exaplane.scheduler.engine.model.PodClass;
import io.exaplane.scheduler.engine.model.Taint;
import io.exaplane.scheduler.engine.model.Toleration;

/** Keeps pods from nodes that are cordoned, unless they tolerate the taint that says so. */
public final class NodeUnschedulable implements Plugin {
  private static final String NAME = "NodeUnschedulable";
  private static final Taint CORDON =
      new Taint("node.kubernetes.io/unschedulable", "", Taint.NO_SCHEDULE);

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Filter filter(PodClass pods, Cluster cluster) {
    if (Toleration.anyTolerates(pods.spec().tolerations(), CORDON)) {
      return null;
    }
    NodeTable nodes = cluster.nodes();
    return new StaticFilter(NAME, "node(s) were unschedulable") {
      @Override
      boolean passes(int node) {
        return !nodes.node(node).unschedulable();
      }
    };
  }
}
