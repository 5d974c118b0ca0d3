// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.event.Change;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Node;
import io.exaplane.scheduler.engine.model.Pod;
import io.exaplane.scheduler.engine.model.SpreadConstraint;
import io.exaplane.scheduler.engine.model.Version;
import java.util.List;

/**
 * PodTopologySpread: what pods hope from others in their namespace, and from nodes. Source:
 * pkg/scheduler/framework/plugins/podtopologyspread/plugin.go.
 */
record SpreadHints(PodTopologySpread plugin, Cluster cluster, Version version) {
  boolean podHelps(Pod pod, Change change) {
    Pod before = change.before(Pod.class);
    Pod after = change.after(Pod.class);
    if ((after != null && !isInvolved(after, pod))
        || (before != null && !isInvolved(before, pod))) {
      return false;
    }
    if (before == null || after == null) {
      return counts(constraints(pod), after == null ? before : after);
    }
    return change.isOf(pod) ? ownUpdateHelps(pod, change) : moves(constraints(pod), before, after);
  }

  /** The pod is counted elsewhere, or tolerates more. */
  boolean ownUpdateHelps(Pod pod, Change change) {
    Pod before = change.before(Pod.class);
    Pod after = change.after(Pod.class);
    List<SpreadConstraint> constraints = constraints(pod);
    boolean tolerates = !before.spec().tolerations().equals(after.spec().tolerations());
    return (tolerates && constraints.stream().anyMatch(SpreadConstraint::honorsTaints))
        || moves(constraints, before, after);
  }

  private static boolean moves(List<SpreadConstraint> constraints, Pod before, Pod after) {
    return constraints.stream()
        .anyMatch(
            c ->
                c.selector().matches(before.spec().labels())
                    != c.selector().matches(after.spec().labels()));
  }

  private List<SpreadConstraint> constraints(Pod pod) {
    return plugin.constraints(pod.spec(), cluster, true);
  }

  private static boolean counts(List<SpreadConstraint> constraints, Pod other) {
    return constraints.stream().anyMatch(c -> c.selector().matches(other.spec().labels()));
  }

  private boolean isInvolved(Pod other, Pod pod) {
    boolean unplaced =
        version.atLeast(Version.V1_36)
            ? ResourceHints.tookNothing(other)
            : other.nodeName().isEmpty();
    return other.key().equals(pod.key())
        || (!unplaced && other.spec().namespace().equals(pod.spec().namespace()));
  }

  boolean nodeHelps(Pod pod, Change change) {
    Node before = change.before(Node.class);
    Node after = change.after(Node.class);
    List<SpreadConstraint> constraints = constraints(pod);
    if (before == null || after == null) {
      return hasKeys(constraints, after == null ? before : after);
    }
    boolean matched = hasKeys(constraints, before);
    boolean matches = hasKeys(constraints, after);
    return matched != matches
        || (matches
            && (!before.taints().equals(after.taints()) || moved(constraints, before, after)));
  }

  private static boolean hasKeys(List<SpreadConstraint> constraints, Node node) {
    return constraints.stream().allMatch(c -> node.labels().get(c.topologyKey()) != null);
  }

  private static boolean moved(List<SpreadConstraint> constraints, Node before, Node after) {
    return constraints.stream()
        .map(SpreadConstraint::topologyKey)
        .anyMatch(key -> !after.labels().get(key).equals(before.labels().get(key)));
  }
}
