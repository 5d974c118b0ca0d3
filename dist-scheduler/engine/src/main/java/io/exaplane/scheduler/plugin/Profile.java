// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.plugin;

import io.exaplane.scheduler.model.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

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

  /**
   * kube-scheduler of a version, unconfigured. Source:
   * pkg/scheduler/apis/config/v1/default_plugins.go.
   */
  public static Profile defaults(Version version) {
    TaintToleration taints = new TaintToleration();
    NodeAffinity affinity = new NodeAffinity(null, List.of());
    NodeResourcesFit fit = new NodeResourcesFit(ScoringStrategy.defaults(), Set.of(), Set.of());
    PodTopologySpread spread = PodTopologySpread.system();
    InterPodAffinity neighbours = new InterPodAffinity(1, false);
    DynamicResources devices = new DynamicResources(version);
    List<Plugin> filters =
        new ArrayList<>(
            List.of(
                new NodeUnschedulable(),
                new NodeName(),
                taints,
                affinity,
                new NodePorts(),
                fit,
                new VolumeRestrictions(),
                new NodeVolumeLimits(version),
                new VolumeBinding(),
                new VolumeZone(),
                spread,
                neighbours,
                devices));
    if (version.atLeast(Version.V1_36)) {
      filters.add(new NodeDeclaredFeatures());
    }
    return new Profile(
        "default-scheduler",
        version,
        true,
        filters,
        List.of(
            new WeightedScore(taints, 3),
            new WeightedScore(affinity, 2),
            new WeightedScore(fit, 1),
            new WeightedScore(spread, 2),
            new WeightedScore(neighbours, 2),
            new WeightedScore(devices, 2),
            new WeightedScore(
                new NodeResourcesBalancedAllocation(
                    ScoringStrategy.defaults().resources(), version),
                1),
            new WeightedScore(new ImageLocality(), 1)),
        new Preemption(10, 100));
  }
}
