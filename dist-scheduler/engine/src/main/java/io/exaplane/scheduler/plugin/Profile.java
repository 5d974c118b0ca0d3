// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.plugin;

import io.exaplane.scheduler.model.Version;
import java.util.List;

/**
 * A scheduler as its users configured it. Immutable.
 *
 * @param filters in the order in which kube-scheduler asks them
 * @param preemption how it makes room, or null if it does not
 */
public record Profile(
    String schedulerName,
    Version version,
    boolean respectsGates,
    List<Plugin> filters,
    List<WeightedScore> scores,
    Preemption preemption) {
  /** A score plugin and what its scores are multiplied by. */
  public record WeightedScore(Plugin plugin, int weight) {}

  /**
   * DefaultPreemption's arguments. They bound a search that kube-scheduler cuts short; the engine
   * looks at every candidate, so they are checked and no more.
   */
  public record Preemption(int minCandidateNodesPercentage, int minCandidateNodesAbsolute) {}

  /** kube-scheduler of a version, unconfigured. */
  public static Profile defaults(Version version) {
    return new ProfileReader(version).unconfigured();
  }
}
