// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.LabelSelector;
import io.exaplane.scheduler.engine.model.PodClass;
import io.exaplane.scheduler.engine.model.PodSpec;
import io.exaplane.scheduler.engine.model.SpreadConstraint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Spreads pods over the domains of topology keys.
 *
 * @param defaults constraints of pods that have none of their own; their selectors come from
 *     Services and controllers
 * @param systemDefaults whether those are kube-scheduler's own: then nodes without a key are
 *     scored, too
 */
public record PodTopologySpread(List<SpreadConstraint> defaults, boolean systemDefaults)
    implements Plugin {
  static final String NAME = "PodTopologySpread";
  static final String HOSTNAME = "kubernetes.io/hostname";

  /** What kube-scheduler spreads by unless it is told otherwise. */
  public static PodTopologySpread system() {
    return new PodTopologySpread(
        List.of(soft(HOSTNAME, 3), soft("topology.kubernetes.io/zone", 5)), true);
  }

  private static SpreadConstraint soft(String key, int maxSkew) {
    return new SpreadConstraint(
        maxSkew, key, false, LabelSelector.NOTHING, 1, true, false, List.of());
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Filter filter(PodClass pods, Cluster cluster) {
    List<SpreadConstraint> constraints = constraints(pods.spec(), cluster, true);
    return constraints.isEmpty() ? null : new SpreadFilter(pods.spec(), cluster, constraints);
  }

  @Override
  public Scorer scorer(PodClass pods, Cluster cluster) {
    List<SpreadConstraint> constraints = constraints(pods.spec(), cluster, false);
    boolean allKeys = !pods.spec().spread().isEmpty() || !systemDefaults;
    return constraints.isEmpty()
        ? null
        : new SpreadScorer(pods.spec(), cluster, constraints, allKeys);
  }

  /** The hard or the soft constraints of a pod, with the selectors that they come to. */
  public List<SpreadConstraint> constraints(PodSpec pod, Cluster cluster, boolean hard) {
    List<SpreadConstraint> own = pod.spread();
    LabelSelector selector = null;
    if (own.isEmpty()) {
      selector = cluster.surroundings().togetherWith(pod);
      if (selector.isEmpty()) {
        return List.of();
      }
    }
    List<SpreadConstraint> result = new ArrayList<>();
    for (SpreadConstraint c : own.isEmpty() ? defaults : own) {
      if (c.hard() == hard) {
        LabelSelector pods = selector != null ? selector : withLabelsOf(pod, c);
        result.add(
            new SpreadConstraint(
                c.maxSkew(),
                c.topologyKey(),
                hard,
                pods,
                c.minDomains(),
                c.honorsAffinity(),
                c.honorsTaints(),
                List.of()));
      }
    }
    return result;
  }

  private static LabelSelector withLabelsOf(PodSpec pod, SpreadConstraint constraint) {
    Map<String, String> own = new LinkedHashMap<>();
    for (String key : constraint.matchLabelKeys()) {
      String value = pod.labels().get(key);
      if (value != null) {
        own.put(key, value);
      }
    }
    return own.isEmpty()
        ? constraint.selector()
        : LabelSelector.ofLabels(own).and(constraint.selector());
  }
}
