// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.util.Arrays;

/**
 * The nodes of a cluster, a column for each thing that is compared on every one of them. A node's
 * number stays its own until it is removed, then another may get it. Belongs to one {@link Cluster}
 * and its thread; 88 bytes a node besides its {@link Node}.
 */
public final class NodeTable {
  Node[] nodes = {};
  long[] allocatableMilliCpu = {};
  long[] allocatableMemory = {};
  long[] allocatableStorage = {};
  long[] requestedMilliCpu = {};
  long[] requestedMemory = {};
  long[] requestedStorage = {};
  long[] nonZeroMilliCpu = {};
  long[] nonZeroMemory = {};
  int[] allowedPods = {};
  int[] podCount = {};

  /** By number of the scalar resource; null or short where a node has none of it. */
  long[][] allocatableScalars = {};

  long[][] requestedScalars = {};
  PlacedPod[] firstPod = {};
  private int size;

  /** Numbers of nodes are below it; those that have no node have a null {@link #node}. */
  public int size() {
    return size;
  }

  public Node node(int node) {
    return nodes[node];
  }

  public long allocatableMilliCpu(int node) {
    return allocatableMilliCpu[node];
  }

  public long allocatableMemory(int node) {
    return allocatableMemory[node];
  }

  public long allocatableStorage(int node) {
    return allocatableStorage[node];
  }

  public long requestedMilliCpu(int node) {
    return requestedMilliCpu[node];
  }

  public long requestedMemory(int node) {
    return requestedMemory[node];
  }

  public long requestedStorage(int node) {
    return requestedStorage[node];
  }

  public long nonZeroMilliCpu(int node) {
    return nonZeroMilliCpu[node];
  }

  public long nonZeroMemory(int node) {
    return nonZeroMemory[node];
  }

  public int allowedPods(int node) {
    return allowedPods[node];
  }

  public int podCount(int node) {
    return podCount[node];
  }

  public long allocatableScalar(int node, int scalar) {
    return at(allocatableScalars[node], scalar);
  }

  public long requestedScalar(int node, int scalar) {
    return at(requestedScalars[node], scalar);
  }

  /** The first of the pods on a node, or null; {@link PlacedPod#next} leads to the others. */
  public PlacedPod firstPod(int node) {
    return firstPod[node];
  }

  private static long at(long[] scalars, int scalar) {
    return scalars != null && scalar >= 0 && scalar < scalars.length ? scalars[scalar] : 0;
  }

  void set(int id, Node node, ScalarNames names) {
    grow(id + 1);
    nodes[id] = node;
    Amounts amounts = node.allocatable();
    allocatableMilliCpu[id] = amounts.milliCpu();
    allocatableMemory[id] = amounts.memoryBytes();
    allocatableStorage[id] = amounts.ephemeralStorageBytes();
    allowedPods[id] = node.allowedPods();
    allocatableScalars[id] = null;
    amounts
        .scalars()
        .forEach(
            (name, amount) ->
                allocatableScalars[id] = with(allocatableScalars[id], names.id(name), amount));
  }

  void clear(int id) {
    nodes[id] = null;
    allowedPods[id] = 0;
    allocatableScalars[id] = null;
  }

  void add(int id, PodClass pod, int sign) {
    Requests requests = pod.spec().requests();
    Amounts amounts = requests.placed();
    requestedMilliCpu[id] += sign * amounts.milliCpu();
    requestedMemory[id] += sign * amounts.memoryBytes();
    requestedStorage[id] += sign * amounts.ephemeralStorageBytes();
    nonZeroMilliCpu[id] += sign * requests.nonZeroMilliCpu();
    nonZeroMemory[id] += sign * requests.nonZeroMemoryBytes();
    podCount[id] += sign;
    int[] scalars = pod.scalarIds();
    for (int i = 0; i < scalars.length; i++) {
      requestedScalars[id] = with(requestedScalars[id], scalars[i], sign * pod.scalarsPlaced()[i]);
    }
  }

  private static long[] with(long[] scalars, int scalar, long more) {
    long[] result =
        scalars == null
            ? new long[scalar + 1]
            : scalar < scalars.length ? scalars : Arrays.copyOf(scalars, scalar + 1);
    result[scalar] += more;
    return result;
  }

  private void grow(int needed) {
    size = Math.max(size, needed);
    if (needed <= nodes.length) {
      return;
    }
    int capacity = Math.max(needed, Math.max(16, nodes.length + nodes.length / 2));
    nodes = Arrays.copyOf(nodes, capacity);
    allocatableMilliCpu = Arrays.copyOf(allocatableMilliCpu, capacity);
    allocatableMemory = Arrays.copyOf(allocatableMemory, capacity);
    allocatableStorage = Arrays.copyOf(allocatableStorage, capacity);
    requestedMilliCpu = Arrays.copyOf(requestedMilliCpu, capacity);
    requestedMemory = Arrays.copyOf(requestedMemory, capacity);
    requestedStorage = Arrays.copyOf(requestedStorage, capacity);
    nonZeroMilliCpu = Arrays.copyOf(nonZeroMilliCpu, capacity);
    nonZeroMemory = Arrays.copyOf(nonZeroMemory, capacity);
    allowedPods = Arrays.copyOf(allowedPods, capacity);
    podCount = Arrays.copyOf(podCount, capacity);
    allocatableScalars = Arrays.copyOf(allocatableScalars, capacity);
    requestedScalars = Arrays.copyOf(requestedScalars, capacity);
    firstPod = Arrays.copyOf(firstPod, capacity);
  }
}
