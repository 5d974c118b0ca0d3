// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.NodeTable;
import io.exaplane.scheduler.engine.model.PodClass;
import java.util.List;

/**
 * Keeps pods from nodes whose kubelet does not declare a feature that they need (KEP-5328). On by
 * default from 1.36 on.
 */
public final class NodeDeclaredFeatures implements Plugin {
  private static final String NAME = "NodeDeclaredFeatures";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Filter filter(PodClass pods, Cluster cluster) {
    List<String> needed = pods.spec().features();
    if (needed.isEmpty()) {
      return null;
    }
    NodeTable nodes = cluster.nodes();
    return new StaticFilter(NAME, "node(s) didn't match Pod's required features") {
      @Override
      boolean passes(int node) {
        return nodes.node(node).features().containsAll(needed);
      }
    };
  }
}
