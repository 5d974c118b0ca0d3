// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.model;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What pods want to be near to or far from: each different wish once, for as long as there are pods
 * with it or somebody else says that there are. Belongs to one {@link Cluster} and its thread.
 */
final class Wishes {
  private final Set<PodSpec.Neighbours> all = new LinkedHashSet<>();

  /** Those of pods that others know of. */
  private final Set<PodSpec.Neighbours> elsewhere = new HashSet<>();

  Collection<PodSpec.Neighbours> all() {
    return Collections.unmodifiableCollection(all);
  }

  /** A class of pods has it; returns whether it is news. */
  boolean add(PodSpec.Neighbours wish) {
    return wish != PodSpec.Neighbours.NONE && all.add(wish);
  }

  /** Others know of pods with it; returns whether it is news. */
  boolean addElsewhere(PodSpec.Neighbours wish) {
    elsewhere.add(wish);
    return all.add(wish);
  }

  /** Who told of it says that no pods have it any more, these here included. */
  boolean removeElsewhere(PodSpec.Neighbours wish) {
    elsewhere.remove(wish);
    return all.remove(wish);
  }

  /** Only these classes are left; returns what nobody wants any more. */
  List<PodSpec.Neighbours> keep(Collection<PodClass> classes) {
    Set<PodSpec.Neighbours> kept = new HashSet<>(elsewhere);
    classes.forEach(pods -> kept.add(pods.spec().neighbours()));
    List<PodSpec.Neighbours> gone = new ArrayList<>();
    for (PodSpec.Neighbours wish : all) {
      if (!kept.contains(wish)) {
        gone.add(wish);
      }
    }
    gone.forEach(all::remove);
    return gone;
  }
}
