// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.device.Allocator;
import io.exaplane.scheduler.engine.model.Amounts;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.NodeTable;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.model.device.DeviceClass;
import java.util.List;
import java.util.SortedMap;

/**
 * What a pod asks for of the resources that a profile scores, beside what nodes have and what is
 * taken of it. Source: pkg/scheduler/framework/plugins/noderesources/resource_allocation.go.
 */
final class ScoredResources {
  private static final int CPU = -1;
  private static final int MEMORY = -2;
  private static final int STORAGE = -3;
  private static final int NOT_SCORED = -4;

  private final NodeTable nodes;
  private final boolean withDefaults;
  private final int[] resources;

  /** For resources that stand for devices, the class of these; null for the others. */
  private final DeviceClass[] classes;

  private final Allocator devices;
  final long[] wanted;
  final long[] allocatable;
  final long[] requested;
  final long[] requestedWithPod;

  /**
   * For one class of pods.
   *
   * @param pod by resource, what the pod asks for
   * @param withDefaults whether what is taken includes the defaults for containers that ask for
   *     nothing
   * @param version that may have devices in place of resources (1.36)
   */
  ScoredResources(
      Cluster cluster,
      List<ScoringStrategy.Weighted> scored,
      SortedMap<String, Long> pod,
      boolean withDefaults,
      Version version) {
    this.nodes = cluster.nodes();
    this.withDefaults = withDefaults;
    int n = scored.size();
    resources = new int[n];
    wanted = new long[n];
    allocatable = new long[n];
    requested = new long[n];
    requestedWithPod = new long[n];
    classes = new DeviceClass[n];
    boolean byDevices = version.atLeast(Version.V1_36);
    devices = byDevices ? DynamicResources.allocator(cluster, version) : null;
    for (int i = 0; i < n; i++) {
      String name = scored.get(i).resource();
      wanted[i] = pod.getOrDefault(name, 0L);
      resources[i] = number(name, wanted[i], cluster);
      classes[i] =
          byDevices && resources[i] >= 0 ? cluster.surroundings().classOfResource(name) : null;
    }
  }

  private static int number(String name, long wanted, Cluster cluster) {
    return switch (name) {
      case Amounts.CPU -> CPU;
      case Amounts.MEMORY -> MEMORY;
      case Amounts.EPHEMERAL_STORAGE -> STORAGE;
      default ->
          Amounts.isScalar(name) && wanted != 0 && cluster.scalarId(name) >= 0
              ? cluster.scalarId(name)
              : NOT_SCORED;
    };
  }

  boolean wantsNothing() {
    for (long amount : wanted) {
      if (amount != 0) {
        return false;
      }
    }
    return true;
  }

  /** Fills the arrays for a node: what it does not have is 0 in all of them. */
  void look(int node) {
    for (int i = 0; i < resources.length; i++) {
      allocatable[i] = allocatable(node, resources[i]);
      requested[i] = allocatable[i] == 0 ? 0 : requested(node, resources[i]);
      if (allocatable[i] == 0 && classes[i] != null) {
        Allocator.Count count = devices.count(nodes.node(node), classes[i]);
        allocatable[i] = count.all();
        requested[i] = count.inUse();
      }
      requestedWithPod[i] = allocatable[i] == 0 ? 0 : requested[i] + wanted[i];
    }
  }

  private long allocatable(int node, int resource) {
    return switch (resource) {
      case CPU -> nodes.allocatableMilliCpu(node);
      case MEMORY -> nodes.allocatableMemory(node);
      case STORAGE -> nodes.allocatableStorage(node);
      case NOT_SCORED -> 0;
      default -> nodes.allocatableScalar(node, resource);
    };
  }

  private long requested(int node, int resource) {
    return switch (resource) {
      case CPU -> withDefaults ? nodes.nonZeroMilliCpu(node) : nodes.requestedMilliCpu(node);
      case MEMORY -> withDefaults ? nodes.nonZeroMemory(node) : nodes.requestedMemory(node);
      case STORAGE -> nodes.requestedStorage(node);
      default -> nodes.requestedScalar(node, resource);
    };
  }
}
