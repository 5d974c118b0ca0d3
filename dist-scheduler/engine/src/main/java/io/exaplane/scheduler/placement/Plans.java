// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.placement;

import io.exaplane.scheduler.model.AffinityTerm;
import io.exaplane.scheduler.model.Cluster;
import io.exaplane.scheduler.model.LabelSelector;
import io.exaplane.scheduler.model.PodClass;
import io.exaplane.scheduler.model.PodSpec;
import io.exaplane.scheduler.plugin.InterPodAffinity;
import io.exaplane.scheduler.plugin.Profile;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The plans of the classes that were judged last. Classes that differ in labels to which nobody
 * pays attention, as the pods of a StatefulSet do, have one plan. For its cluster's thread.
 */
final class Plans {
  private static final int KEYS = 100_000;

  private final Cluster cluster;
  private final Profile profile;
  private final Map<Object, ClassPlan> plans;
  private final Map<PodClass, Object> keys = new HashMap<>();
  private long keysVersion = -1;

  /**
   * What a plan depends on.
   *
   * @param together which pods it is spread with by default
   * @param wishes the terms of other pods that mean pods of this class
   */
  private record Key(PodSpec unlabelled, LabelSelector together, Set<AffinityTerm> wishes) {}

  /** Keeps at most so many. */
  Plans(Cluster cluster, Profile profile, int most) {
    this.cluster = cluster;
    this.profile = profile;
    plans =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1;

          @Override
          protected boolean removeEldestEntry(Map.Entry<Object, ClassPlan> eldest) {
            if (size() <= most) {
              return false;
            }
            eldest.getValue().close();
            return true;
          }
        };
  }

  ClassPlan of(PodClass pods) {
    Object key = keyOf(pods);
    ClassPlan plan = plans.get(key);
    if (plan != null && plan.isCurrent()) {
      return plan;
    }
    if (plan != null) {
      plan.close();
    }
    ClassPlan made = new ClassPlan(pods, cluster, profile);
    plans.put(key, made);
    return made;
  }

  private Object keyOf(PodClass pods) {
    long version = cluster.surroundings().version();
    if (keysVersion != version || keys.size() > KEYS) {
      keys.clear();
      keysVersion = version;
    }
    return keys.computeIfAbsent(pods, this::makeKey);
  }

  /** Who selects pods by labels, its own perhaps, is a class for itself. */
  private Object makeKey(PodClass pods) {
    PodSpec spec = pods.spec();
    if (!spec.spread().isEmpty() || spec.neighbours() != PodSpec.Neighbours.NONE) {
      return pods;
    }
    return new Key(
        spec.unlabelled(),
        cluster.surroundings().togetherWith(spec),
        InterPodAffinity.termsFor(spec, cluster));
  }
}
