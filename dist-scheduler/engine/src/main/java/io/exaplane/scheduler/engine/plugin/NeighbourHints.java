// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.event.Change;
import io.exaplane.scheduler.engine.model.AffinityTerm;
import io.exaplane.scheduler.engine.model.Labels;
import io.exaplane.scheduler.engine.model.Node;
import io.exaplane.scheduler.engine.model.Pod;
import io.exaplane.scheduler.engine.model.Version;
import java.util.List;

/**
 * InterPodAffinity: what pods hope from others that come, change and go. Namespace selectors are
 * compared with no labels at all, as kube-scheduler does here. Source:
 * pkg/scheduler/framework/plugins/interpodaffinity/plugin.go.
 *
 * @param version from 1.36 on, pods that wait for a node count, and more changes than before; from
 *     1.37 on, a pod that any of several terms keeps away helps when it goes
 */
record NeighbourHints(Version version) {
  boolean podHelps(Pod pod, Change change) {
    Pod before = change.before(Pod.class);
    Pod after = change.after(Pod.class);
    boolean update = before != null && after != null;
    if ((before != null && isUnplaced(before)) || (after != null && isUnplaced(after))) {
      return false;
    }
    List<AffinityTerm> near = pod.spec().neighbours().requiredAffinity();
    List<AffinityTerm> far = pod.spec().neighbours().requiredAntiAffinity();
    if (update) {
      return (!matches(near, before) && matches(near, after))
          || (keptAway(far, before) && !keptAway(far, after));
    }
    if (after != null) {
      return matches(near, after);
    }
    return keptAway(far, before)
        || (isNew() && keptAway(before.spec().neighbours().requiredAntiAffinity(), pod));
  }

  /** Who keeps pods like it away may not mean it any more, from 1.36 on. */
  boolean ownUpdateHelps(Pod pod, Change change) {
    return isNew() || podHelps(pod, change);
  }

  private boolean isNew() {
    return version.atLeast(Version.V1_36);
  }

  private boolean isUnplaced(Pod pod) {
    return isNew() ? ResourceHints.tookNothing(pod) : pod.nodeName().isEmpty();
  }

  /** Until 1.36, kube-scheduler asks whether all terms mean it. */
  private boolean keptAway(List<AffinityTerm> terms, Pod other) {
    return version.atLeast(Version.V1_37)
        ? terms.stream().anyMatch(term -> matches(List.of(term), other))
        : matches(terms, other);
  }

  /** Whether a pod is one of those that all of the terms mean; none mean nobody. */
  private static boolean matches(List<AffinityTerm> terms, Pod other) {
    for (AffinityTerm term : terms) {
      if (!term.matches(other.spec().namespace(), other.spec().labels(), Labels.NONE)) {
        return false;
      }
    }
    return !terms.isEmpty();
  }

  boolean nodeHelps(Pod pod, Change change) {
    Node before = change.before(Node.class);
    Node after = change.after(Node.class);
    for (AffinityTerm term : pod.spec().neighbours().requiredAffinity()) {
      String value = after.labels().get(term.topologyKey());
      if (value != null
          && (before == null || !value.equals(before.labels().get(term.topologyKey())))) {
        return true;
      }
    }
    for (AffinityTerm term : pod.spec().neighbours().requiredAntiAffinity()) {
      String had = before == null ? null : before.labels().get(term.topologyKey());
      if (before == null || (had != null && !had.equals(after.labels().get(term.topologyKey())))) {
        return true;
      }
    }
    return false;
  }
}
