// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.model;

import java.util.List;

/**
 * Live heap, bytes, of those that keep objects in informers. The ratios to what is stored were
 * measured with pods (DESIGN.md).
 *
 * @param controllerManager its garbage collector knows all objects but Events
 * @param scheduler it knows pods, nodes, and what owns pods
 */
public record ControllerMemory(double controllerManager, double scheduler) {
  private static final double CONTROLLER_MANAGER_BASE = 23 * Bytes.MIB;
  private static final double CONTROLLER_MANAGER_RATIO = 1.34;
  private static final double SCHEDULER_BASE = 9 * Bytes.MIB;
  private static final double SCHEDULER_RATIO = 1.3;
  private static final double LEAST = 128 * Bytes.MIB;
  private static final double STEP = 64 * Bytes.MIB;
  private static final double ROOM = 2.2;
  private static final List<String> OF_SCHEDULER =
      List.of(Load.PODS, Load.NODES, "services", "apps/replicasets");

  static ControllerMemory of(Load load) {
    double known = 0;
    double scheduled = 0;
    for (Kind kind : load.kinds()) {
      known += kind.cached() ? kind.storedBytes() : 0;
      scheduled += OF_SCHEDULER.contains(kind.resource()) ? kind.storedBytes() : 0;
    }
    return new ControllerMemory(
        CONTROLLER_MANAGER_BASE + CONTROLLER_MANAGER_RATIO * known,
        SCHEDULER_BASE + SCHEDULER_RATIO * scheduled);
  }

  /** Memory for twice a live heap, which GOGC=100 lets it grow to, and for what is not heap. */
  public static double request(double liveHeap) {
    double memory = Math.max(LEAST, ROOM * liveHeap);
    return Numbers.roundUp(memory, memory < Bytes.GIB ? STEP : Bytes.GIB);
  }
}
