// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.PodClass;

/** A plugin of kube-scheduler, with its arguments. Immutable. */
public interface Plugin {
  /** The name in kube-scheduler's configuration, events and metrics. */
  String name();

  /** How it judges nodes for pods of this class; null if it never objects to one. */
  default Filter filter(PodClass pods, Cluster cluster) {
    return null;
  }

  /** Whether it looks at pods' volumes alone, and only refuses nodes. */
  default boolean isAboutVolumes() {
    return false;
  }

  /** How it scores nodes for pods of this class; null if it never does. */
  default Scorer scorer(PodClass pods, Cluster cluster) {
    return null;
  }
}
