// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Node;
import io.exaplane.scheduler.engine.model.NodeTable;
import io.exaplane.scheduler.engine.model.PodClass;
import io.exaplane.scheduler.engine.model.Version;
import java.util.List;

/**
 * Prefers nodes that have much of a pod's images already, unless few nodes do: then pods would
 * crowd there.
 *
 * @param version from 1.37 on, images that are volumes raise what there is to reach, too
 */
public record ImageLocality(Version version) implements Plugin {
  private static final String NAME = "ImageLocality";
  private static final long MIB = 1 << 20;
  private static final long LEAST_BYTES = 23 * MIB;
  private static final long MOST_BYTES_OF_CONTAINER = 1000 * MIB;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Scorer scorer(PodClass pods, Cluster cluster) {
    List<String> images = pods.spec().images();
    int count = version.atLeast(Version.V1_37) ? images.size() : pods.spec().containerCount();
    long mostBytes = MOST_BYTES_OF_CONTAINER * count;
    NodeTable nodes = cluster.nodes();
    return new Scorer(NAME) {
      @Override
      public Scope scope() {
        return Scope.NODE;
      }

      @Override
      public long score(int id) {
        Node node = nodes.node(id);
        long sumBytes = 0;
        for (String image : images) {
          Long sizeBytes = node.images().isEmpty() ? null : node.images().get(image);
          if (sizeBytes != null) {
            double spread = (double) cluster.images().nodesWith(image) / cluster.nodeCount();
            sumBytes += (long) (sizeBytes * spread);
          }
        }
        sumBytes = sumBytes < LEAST_BYTES ? LEAST_BYTES : Math.min(sumBytes, mostBytes);
        return MAX * (sumBytes - LEAST_BYTES) / (mostBytes - LEAST_BYTES);
      }
    };
  }
}
