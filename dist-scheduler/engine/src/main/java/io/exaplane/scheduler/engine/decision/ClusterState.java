// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.decision;

import io.exaplane.scheduler.engine.model.Cluster;

/** The state of a cluster, as far as an answer can depend on it: what was found out stays so. */
record ClusterState(
    long changes,
    long nodes,
    long surroundings,
    long wishes,
    long nominations,
    long volumes,
    long devices) {
  static ClusterState of(Cluster cluster) {
    return new ClusterState(
        cluster.changes().end(),
        cluster.nodesVersion(),
        cluster.surroundings().version(),
        cluster.wishes().version(),
        cluster.nominationsVersion(),
        cluster.volumes().version(),
        cluster.devices().version());
  }
}
