// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.util.Arrays;

/**
 * Pods that are not known one by one: how many of which class are on each node. Belongs to one
 * {@link Cluster} and its thread; 12 bytes a class and node.
 */
final class CountedPods {
  private static final PodClass[] NO_CLASSES = {};

  private PodClass[][] classes = {};
  private int[][] counts = {};

  /** Takes what there are on a node. */
  interface Each {
    void take(int node, PodClass pods, int count);
  }

  void add(int node, PodClass pods, int more) {
    if (node >= classes.length) {
      int capacity = Math.max(node + 1, classes.length + classes.length / 2);
      classes = Arrays.copyOf(classes, capacity);
      counts = Arrays.copyOf(counts, capacity);
    }
    PodClass[] here = classes[node] == null ? NO_CLASSES : classes[node];
    int at = 0;
    while (at < here.length && here[at] != pods) {
      at++;
    }
    if (at == here.length) {
      classes[node] = Arrays.copyOf(here, at + 1);
      counts[node] = counts[node] == null ? new int[1] : Arrays.copyOf(counts[node], at + 1);
      classes[node][at] = pods;
    }
    counts[node][at] += more;
    if (counts[node][at] == 0) {
      leave(node, at);
    }
  }

  private void leave(int node, int at) {
    int last = classes[node].length - 1;
    classes[node][at] = classes[node][last];
    counts[node][at] = counts[node][last];
    classes[node] = Arrays.copyOf(classes[node], last);
    counts[node] = Arrays.copyOf(counts[node], last);
  }

  void forEach(Each each) {
    for (int node = 0; node < classes.length; node++) {
      if (classes[node] != null) {
        for (int i = 0; i < classes[node].length; i++) {
          each.take(node, classes[node][i], counts[node][i]);
        }
      }
    }
  }
}
