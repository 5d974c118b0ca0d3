// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.restart;

import java.util.Comparator;
import java.util.List;

/**
 * What one look found of a component. Immutable.
 *
 * @param name as messages and status have it
 * @param replicas how many pods there are to be
 * @param pods all of them, in the order of their names
 * @param turns how pods take turns
 */
public record ComponentLook(
    String name, int replicas, List<PodLook> pods, Dependency dependency, Turns turns) {
  /** How pods of a component are replaced. */
  public enum Turns {
    /** Never: the data goes with the pod. */
    NEVER,
    /** One starts at a time, unless none serves: each start reads all that the stores hold. */
    ONE_STARTS,
    /** By the pace alone. */
    ANY
  }

  /** Sorts the pods. */
  public ComponentLook {
    pods = pods.stream().sorted(Comparator.comparing(PodLook::name)).toList();
  }

  /** Whether one that starts now would be a second one, while another serves. */
  boolean isTaken() {
    long living = pods.stream().filter(pod -> !pod.leaving()).count();
    return turns == Turns.ONE_STARTS
        && pods.stream().anyMatch(pod -> !pod.leaving() && pod.readySince().isPresent())
        && (pods.stream().anyMatch(PodLook::starts) || living < replicas);
  }
}
