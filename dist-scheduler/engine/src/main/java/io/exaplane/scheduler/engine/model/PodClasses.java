// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The classes of a cluster's pods. One that has no pods any more stays a while, since pods like
 * those often come back, and is let go once most classes have none: then only, so that letting go
 * costs no more than the pods' coming did. Belongs to one {@link Cluster} and its thread.
 */
final class PodClasses {
  /** So many classes without pods are never too many, unless one says otherwise. */
  static final int FEW = 1024;

  private final ScalarNames names;
  private final int few;
  private final Consumer<PodClass> born;
  private final Runnable letGo;
  private final Map<PodSpec, PodClass> classes = new LinkedHashMap<>();
  private int unused;

  /**
   * No classes.
   *
   * @param few classes without pods are never too many
   * @param born is told of each new one
   * @param letGo is told after some were, which say so ({@link PodClass#isLetGo})
   */
  PodClasses(ScalarNames names, int few, Consumer<PodClass> born, Runnable letGo) {
    this.names = names;
    this.few = few;
    this.born = born;
    this.letGo = letGo;
  }

  Collection<PodClass> all() {
    return Collections.unmodifiableCollection(classes.values());
  }

  /** The class of a pod that comes; {@link #leave} has to follow when it goes. */
  PodClass join(PodSpec spec) {
    PodClass known = classes.get(spec);
    if (known == null) {
      known = new PodClass(spec, names);
      classes.put(spec, known);
      born.accept(known);
    } else if (known.pods == 0) {
      unused--;
    }
    known.pods++;
    return known;
  }

  void leave(PodClass pods) {
    if (--pods.pods == 0) {
      unused++;
      if (unused > few && unused > classes.size() / 2) {
        letGo();
      }
    }
  }

  /** The class of pods that are like these and have no volumes; it stays as long as this does. */
  PodClass withoutVolumes(PodClass pods) {
    if (pods.withoutVolumes == null) {
      pods.withoutVolumes = join(pods.spec().withoutVolumes());
    }
    return pods.withoutVolumes;
  }

  private void letGo() {
    unused = 0;
    List<PodClass> went = classes.values().stream().filter(pods -> pods.pods == 0).toList();
    for (PodClass pods : went) {
      pods.letGo();
      classes.remove(pods.spec());
    }
    letGo.run();
    for (PodClass pods : went) {
      if (pods.withoutVolumes != null && --pods.withoutVolumes.pods == 0) {
        unused++;
      }
    }
  }
}
