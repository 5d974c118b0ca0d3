// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What one store has to carry.
 *
 * @param name the Kind's that it is for, or {@link #DEFAULT}
 * @param compactionSeconds between compactions
 */
public record Store(String name, List<Kind> kinds, double compactionSeconds) {
  /** The store of all that has none of its own. */
  public static final String DEFAULT = "default";

  /** Memory of an Exaplane store that has little to carry. */
  public static final double LEAST_MEMORY = 4 * Bytes.GIB;

  /** The key, and the header of its record: controlplane-store/DESIGN.md. */
  private static final double RECORD_OVERHEAD = 150;

  /** A kube-apiserver compacts each time to where it was the time before (etcd3/compact.go). */
  private static final double INTERVALS_KEPT = 2;

  /** A third is left for more than was foreseen. */
  private static final double ROOM = 1.5;

  /**
   * What an Exaplane store counts of a kube-apiserver's memory, beside the model's own ratio and
   * for each object: controlplane-store, core/SpaceAccount.java. It is on the safe side.
   */
  private static final double COUNTED_RATIO = 1.25;

  private static final double COUNTED_OBJECT_BYTES = 1_250;
  private static final double COUNTED_ROOM = 1.2;

  // What an Exaplane store makes of its memory: app/Space.java, core/SpaceAccount.java.
  private static final double HEAP_PART = 0.25;
  private static final double OTHER_BYTES = 256 * Bytes.MIB;

  /** Of the quota, above it, for what a full store still takes (Growth of the store). */
  private static final double RESERVE_PART = 1.0 / 32;

  private static final double FILLED = 0.65;
  private static final double INDEX_PART = HEAP_PART / 3;
  private static final double INDEX_BYTES_PER_KEY = 72;
  private static final double INDEX_BYTES_PER_VERSION = 8;

  /** The stores that routes make: one for each, and the default one with the rest. */
  static List<Store> of(Load load, List<String> routes, double compactionSeconds) {
    List<Store> stores = new ArrayList<>();
    List<Kind> others = new ArrayList<>();
    for (Kind kind : load.kinds()) {
      if (routes.contains(kind.resource())) {
        stores.add(new Store(kind.resource(), List.of(kind), compactionSeconds));
      } else {
        others.add(kind);
      }
    }
    stores.add(new Store(DEFAULT, others, compactionSeconds));
    return List.copyOf(stores);
  }

  /** Bytes of the newest version of each object. */
  public double bytes() {
    return sum(Kind::storedBytes);
  }

  public double writesPerSecond() {
    return sum(Kind::writesPerSecond);
  }

  public double writtenBytesPerSecond() {
    return sum(kind -> kind.writesPerSecond() * kind.bytes());
  }

  /** The Kind that has the most of something. */
  public String most(ToDoubleFunction<Kind> figure) {
    return kinds.stream().max(Comparator.comparingDouble(figure)).orElseThrow().resource();
  }

  /**
   * Bytes that an Exaplane store keeps: of each object, and of versions until they are compacted.
   */
  public double keptBytes() {
    return sum(kind -> (kind.objects() + keptVersions(kind)) * (kind.bytes() + RECORD_OVERHEAD));
  }

  /** The same with the room that a store is to have above what was foreseen. */
  public double roomyBytes() {
    return ROOM * keptBytes();
  }

  /**
   * Bytes of one kube-apiserver's memory that an Exaplane store counts for what is expected of it,
   * with some room.
   */
  public double countedLoad() {
    return COUNTED_ROOM
        * sum(
            kind ->
                kind.cached()
                    ? COUNTED_RATIO * kind.decodedRatio() * (kind.storedBytes() + overhead(kind))
                        + COUNTED_OBJECT_BYTES * kind.objects()
                    : 0);
  }

  private static double overhead(Kind kind) {
    return RECORD_OVERHEAD * kind.objects();
  }

  /** Memory, bytes, in which an Exaplane store keeps that and has room. */
  public double memory() {
    return Math.max(LEAST_MEMORY, Numbers.roundUp(neededMemory(), Bytes.GIB));
  }

  /** The same of a store that is given no more than that. */
  public double neededMemory() {
    double records = memoryFor(roomyBytes());
    double versions = sum(kind -> kind.objects() + keptVersions(kind));
    double index = sum(Kind::objects) * INDEX_BYTES_PER_KEY + versions * INDEX_BYTES_PER_VERSION;
    return Math.max(records, ROOM * index / INDEX_PART);
  }

  /** Bytes of versions that an Exaplane store keeps at most in so much memory. */
  public static double quota(double memory) {
    return (memory * (1 - HEAP_PART) - OTHER_BYTES) * FILLED / (1 + RESERVE_PART);
  }

  /** Memory, bytes, in which an Exaplane store keeps so many bytes of versions. */
  public static double memoryFor(double quota) {
    return (quota * (1 + RESERVE_PART) / FILLED + OTHER_BYTES) / (1 - HEAP_PART);
  }

  private double keptVersions(Kind kind) {
    return INTERVALS_KEPT * compactionSeconds * kind.writesPerSecond();
  }

  private double sum(ToDoubleFunction<Kind> figure) {
    return kinds.stream().mapToDouble(figure).sum();
  }
}
