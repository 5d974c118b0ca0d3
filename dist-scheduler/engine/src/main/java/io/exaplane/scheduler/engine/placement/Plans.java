// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.placement;

import io.exaplane.scheduler.engine.model.AffinityTerm;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.LabelSelector;
import io.exaplane.scheduler.engine.model.Labels;
import io.exaplane.scheduler.engine.model.PodClass;
import io.exaplane.scheduler.engine.model.PodSpec;
import io.exaplane.scheduler.engine.plugin.InterPodAffinity;
import io.exaplane.scheduler.engine.plugin.Profile;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The plans of the classes that were judged last, as many as a quarter of the heap holds. Classes
 * that differ in labels to which nobody pays attention, as the pods of a StatefulSet do, have one
 * plan. For its cluster's thread.
 */
final class Plans {
  /** So many keys are never too many. */
  private static final int FEW_KEYS = 4096;

  /** What a plan with its index and counters comes to, in bytes a node. */
  private static final long BYTES_A_NODE = 64;

  private static final int FEWEST = 16;
  private static final int MOST = 4096;

  /** How much of the heap plans may take. */
  private static final int SHARE_OF_HEAP = 4;

  private final Cluster cluster;
  private final Profile profile;
  private final long heapBytes;

  /** Those first that were asked for longest ago. */
  private final LinkedHashMap<Object, ClassPlan> plans = new LinkedHashMap<>(16, 0.75f, true);

  private final Map<PodClass, Found> keys = new HashMap<>();
  private long keysVersion = -1;
  private int mostKeys = FEW_KEYS;

  private final Map<Key, Key> known = new HashMap<>();

  /** The key of a class, as of a version of wishes. */
  private record Found(Object key, long wishes) {}

  /**
   * What a plan depends on.
   *
   * @param together which pods it is spread with by default
   * @param wishes the terms of other pods that mean pods of this class
   * @param hash of the others, worked out once
   */
  private record Key(
      PodSpec unlabelled, LabelSelector together, Set<AffinityTerm> wishes, int hash) {
    static Key of(PodSpec unlabelled, LabelSelector together, Set<AffinityTerm> wishes) {
      return new Key(unlabelled, together, wishes, Objects.hash(unlabelled, together, wishes));
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  /**
   * None yet.
   *
   * @param heapBytes of the process
   */
  Plans(Cluster cluster, Profile profile, long heapBytes) {
    this.cluster = cluster;
    this.profile = profile;
    this.heapBytes = heapBytes;
  }

  /** A plan has room for every number of a node, also of those that went. */
  private int most() {
    long bytesOfPlan = BYTES_A_NODE * Math.max(1, cluster.nodes().size());
    return Math.clamp(heapBytes / SHARE_OF_HEAP / bytesOfPlan, FEWEST, MOST);
  }

  ClassPlan of(PodClass pods) {
    Object key = keyOf(pods);
    ClassPlan plan = plans.get(key);
    if (plan != null && plan.isCurrent()) {
      return plan;
    }
    ClassPlan made = new ClassPlan(pods, cluster, profile);
    plans.put(key, made);
    if (plan != null) {
      plan.close();
    }
    for (int most = most(); plans.size() > most; ) {
      plans.pollFirstEntry().getValue().close();
    }
    return made;
  }

  int count() {
    return plans.size();
  }

  int keyCount() {
    return keys.size();
  }

  /** Equal for classes that have one plan, whichever that is. */
  Object keyOf(PodClass pods) {
    long version = cluster.surroundings().version();
    if (keysVersion != version) {
      keys.clear();
      known.clear();
      keysVersion = version;
    } else if (keys.size() > mostKeys) {
      keys.keySet().removeIf(PodClass::isLetGo);
      known.clear();
      mostKeys = Math.max(FEW_KEYS, 2 * keys.size());
    }
    Found found = keys.get(pods);
    long wishes = cluster.wishes().version();
    if (found != null && found.wishes == wishes) {
      return found.key;
    }
    Labels labels = cluster.surroundings().namespaceLabels(pods.spec().namespace());
    boolean stays =
        found != null && !cluster.wishes().haveChangedFor(pods.spec(), labels, found.wishes);
    if (found != null && !stays) {
      known.remove(found.key);
    }
    Found now = new Found(stays ? found.key : makeKey(pods), wishes);
    keys.put(pods, now);
    return now.key;
  }

  /** Who selects pods by labels, its own perhaps, is a class for itself. */
  private Object makeKey(PodClass pods) {
    PodSpec spec = pods.spec();
    if (!spec.spread().isEmpty() || spec.neighbours() != PodSpec.Neighbours.NONE) {
      return pods;
    }
    Key key =
        Key.of(
            spec.unlabelled(),
            cluster.surroundings().togetherWith(spec),
            InterPodAffinity.termsFor(spec, cluster));
    Key same = known.putIfAbsent(key, key);
    return same == null ? key : same;
  }
}
