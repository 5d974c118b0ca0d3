// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.Version;
import java.util.List;

/**
 * A scheduler as its users configured it. Immutable.
 *
 * @param filters in the order in which kube-scheduler asks them
 * @param givesDevicesUp whether, for pods that find no node, claims give devices up that cannot be
 *     used where their pods could go
 * @param preempts whether it makes room for pods at the cost of others; that is tried last
 * @param schedulesGangs whether it decides about the pods of a group together
 */
public record Profile(
    String schedulerName,
    Version version,
    boolean respectsGates,
    List<Plugin> filters,
    List<WeightedScore> scores,
    boolean givesDevicesUp,
    boolean preempts,
    boolean schedulesGangs) {
  /** A score plugin and what its scores are multiplied by. */
  public record WeightedScore(Plugin plugin, int weight) {}

  /** Whether it finds devices for claims, and lets pods wait for these. */
  public boolean findsDevices() {
    return filters.stream().anyMatch(DynamicResources.class::isInstance);
  }

  /** Whether one plugin is asked about nodes before another. */
  public boolean asksBefore(String one, String other) {
    for (Plugin plugin : filters) {
      if (plugin.name().equals(other)) {
        return false;
      }
      if (plugin.name().equals(one)) {
        return true;
      }
    }
    return false;
  }

  /** kube-scheduler of a version, unconfigured. */
  public static Profile defaults(Version version) {
    return new ProfileReader(version).unconfigured();
  }
}
