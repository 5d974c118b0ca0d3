// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What pods want to be near to or far from: each different wish once, for as long as there are pods
 * with it or somebody else says that there are. Where every job has a selector of its own there are
 * thousands, of which a pod matches one: they are found by a label that they ask for, and what was
 * worked out of them stays while those that come and go mean other pods. Belongs to one {@link
 * Cluster} and its thread.
 */
public final class Wishes {
  /** So many changes are remembered; who looked before those has to look at all. */
  private static final int REMEMBERED = 4096;

  /** In the order in which they came. */
  private final Map<PodSpec.Neighbours, Filed> all = new LinkedHashMap<>();

  /** Those of pods that others know of. */
  private final Set<PodSpec.Neighbours> elsewhere = new HashSet<>();

  /** By a label of the pods that a term means; by null where it names none. */
  private final Map<Label, SortedMap<Long, PodSpec.Neighbours>> byLabel = new HashMap<>();

  private final List<PodSpec.Neighbours> changes = new ArrayList<>();
  private long forgottenChanges;
  private long next;

  /**
   * How a wish is found.
   *
   * @param labels for each of its terms one that this asks for, or null
   */
  private record Filed(long number, Set<Label> labels) {}

  Wishes() {}

  /** All of them, in the order in which they came. */
  public Collection<PodSpec.Neighbours> all() {
    return Collections.unmodifiableCollection(all.keySet());
  }

  /** Those with terms that may match such pods, in the order in which they came. */
  public Collection<PodSpec.Neighbours> thatMayMean(PodSpec pod) {
    SortedMap<Long, PodSpec.Neighbours> found = new TreeMap<>();
    found.putAll(byLabel.getOrDefault(null, Collections.emptySortedMap()));
    pod.labels()
        .toMap()
        .forEach(
            (key, value) ->
                found.putAll(
                    byLabel.getOrDefault(new Label(key, value), Collections.emptySortedMap())));
    return found.values();
  }

  /** How many changes there were. */
  public long version() {
    return forgottenChanges + changes.size();
  }

  /**
   * Whether a wish came or went that means such pods.
   *
   * @param since the version when that was looked at last
   * @param namespaceLabels of the pods' namespace
   */
  public boolean haveChangedFor(PodSpec pod, Labels namespaceLabels, long since) {
    if (since < forgottenChanges) {
      return true;
    }
    for (int i = (int) (since - forgottenChanges); i < changes.size(); i++) {
      if (changes
          .get(i)
          .terms()
          .anyMatch(term -> term.matches(pod.namespace(), pod.labels(), namespaceLabels))) {
        return true;
      }
    }
    return false;
  }

  /** A class of pods has it; returns whether it is news. */
  boolean add(PodSpec.Neighbours wish) {
    if (wish == PodSpec.Neighbours.NONE || all.containsKey(wish)) {
      return false;
    }
    Filed filed = new Filed(next++, new HashSet<>());
    wish.terms().forEach(term -> filed.labels.add(rarest(Label.of(term.selector()))));
    all.put(wish, filed);
    for (Label label : filed.labels) {
      byLabel.computeIfAbsent(label, l -> new TreeMap<>()).put(filed.number, wish);
    }
    changed(wish);
    return true;
  }

  /** The one that fewest others ask for: many have "app: worker", one has the number of its job. */
  private Label rarest(List<Label> labels) {
    return labels.stream().min(Comparator.comparingInt(this::askedFor)).orElse(null);
  }

  private int askedFor(Label label) {
    return byLabel.getOrDefault(label, Collections.emptySortedMap()).size();
  }

  /** Others know of pods with it. */
  void addElsewhere(PodSpec.Neighbours wish) {
    elsewhere.add(wish);
    add(wish);
  }

  /** Who told of it says that no pods have it any more, these here included. */
  void removeElsewhere(PodSpec.Neighbours wish) {
    elsewhere.remove(wish);
    if (all.containsKey(wish)) {
      remove(wish);
    }
  }

  /** Only these classes are left; returns what nobody wants any more. */
  List<PodSpec.Neighbours> keep(Collection<PodClass> classes) {
    Set<PodSpec.Neighbours> kept = new HashSet<>(elsewhere);
    classes.forEach(pods -> kept.add(pods.spec().neighbours()));
    List<PodSpec.Neighbours> gone =
        all.keySet().stream().filter(wish -> !kept.contains(wish)).toList();
    gone.forEach(this::remove);
    return gone;
  }

  private void remove(PodSpec.Neighbours wish) {
    Filed filed = all.remove(wish);
    for (Label label : filed.labels) {
      SortedMap<Long, PodSpec.Neighbours> wishes = byLabel.get(label);
      wishes.remove(filed.number);
      if (wishes.isEmpty()) {
        byLabel.remove(label);
      }
    }
    changed(wish);
  }

  private void changed(PodSpec.Neighbours wish) {
    changes.add(wish);
    if (changes.size() > 2 * REMEMBERED) {
      changes.subList(0, REMEMBERED).clear();
      forgottenChanges += REMEMBERED;
    }
  }
}
