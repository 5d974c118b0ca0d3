// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.placement;

import io.exaplane.scheduler.model.Cluster;
import io.exaplane.scheduler.model.PodClass;
import io.exaplane.scheduler.plugin.Profile;
import java.util.LinkedHashMap;
import java.util.Map;

/** The plans of the classes that were judged last. For its cluster's thread. */
final class Plans {
  private final Cluster cluster;
  private final Profile profile;
  private final Map<PodClass, ClassPlan> plans;

  /** Keeps at most so many. */
  Plans(Cluster cluster, Profile profile, int most) {
    this.cluster = cluster;
    this.profile = profile;
    plans =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1;

          @Override
          protected boolean removeEldestEntry(Map.Entry<PodClass, ClassPlan> eldest) {
            if (size() <= most) {
              return false;
            }
            eldest.getValue().close();
            return true;
          }
        };
  }

  ClassPlan of(PodClass pods) {
    ClassPlan plan = plans.get(pods);
    if (plan != null && plan.isCurrent()) {
      return plan;
    }
    if (plan != null) {
      plan.close();
    }
    ClassPlan made = new ClassPlan(pods, cluster, profile);
    plans.put(pods, made);
    return made;
  }
}
