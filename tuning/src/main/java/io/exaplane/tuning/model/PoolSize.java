// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.model;

/**
 * What the processes of a scheduler of ours need. Live heap was measured by the engine's Footprint
 * (487 bytes a node, 342 a pod on a node) and the rest in its containers (DESIGN.md).
 *
 * @param advisedShards how many shards so many nodes call for
 * @param rootMemory what a root asks for, bytes
 * @param shardMemory what a shard asks for, bytes
 * @param relayMemory what a relay asks for, bytes
 */
public record PoolSize(
    int advisedShards, double rootMemory, double shardMemory, double relayMemory) {
  /**
   * A class of pods that nobody had yet costs a look at all nodes: 0.75 s of a million, 40 ms of so
   * many.
   */
  private static final double NODES_OF_ONE = 50_000;

  private static final double NODE_BYTES = 487;
  private static final double POD_BYTES = 342;
  private static final double BASE = 256 * Bytes.MIB;

  /** Room for the collector, and for the indexes, which take a quarter of the heap at most. */
  private static final double ROOM = 3;

  private static final double STEP = 64 * Bytes.MIB;

  /**
   * For so many.
   *
   * @param shards that run; 0 if the root looks at nodes itself
   */
  public static PoolSize of(long nodes, double pods, int shards) {
    int advised = nodes <= NODES_OF_ONE ? 0 : (int) Math.ceil(nodes / NODES_OF_ONE);
    double heap = nodes * NODE_BYTES + pods * POD_BYTES;
    double ofShard = nodes * NODE_BYTES / Math.max(1, shards);
    return new PoolSize(advised, memory(heap), memory(ofShard), Numbers.roundUp(BASE, STEP));
  }

  private static double memory(double heap) {
    return Numbers.roundUp(BASE + ROOM * heap, STEP);
  }
}
