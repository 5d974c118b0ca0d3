// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.decision;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.PodClass;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Why pods go nowhere, in words. Every node is looked at for that, but only once for pods that are
 * alike as long as nothing changes. For the cluster's thread.
 */
public final class Refusals {
  private final Cluster cluster;
  private final Decider withReasons;
  private final Map<PodClass, Refusal> known = new HashMap<>();
  private ClusterState knownAt;

  /** Of a decider with reasons. */
  public Refusals(Cluster cluster, Decider withReasons) {
    this.cluster = cluster;
    this.withReasons = withReasons;
  }

  /** What becomes of a pod for which no node was found; the cluster stays as it is. */
  public Refusal of(PlacedPod pod) {
    ClusterState now = ClusterState.of(cluster);
    if (!now.equals(knownAt)) {
      known.clear();
      knownAt = now;
    }
    Refusal before = Decider.isLikeItsClass(pod) ? known.get(pod.podClass()) : null;
    if (before != null) {
      String message = before.decision().message();
      return new Refusal(Decision.stays(pod, null, false, message), before.plugins());
    }
    Refusal refusal = of(withReasons.decide(pod));
    Decision found = refusal.decision();
    boolean isRefused = found.node().isEmpty() && found.nominated().isEmpty();
    if (Decider.isLikeItsClass(pod) && isRefused) {
      known.put(pod.podClass(), refusal);
    }
    return refusal;
  }

  /** Of what was decided about a pod, to be asked before the next one is. */
  public static Refusal of(Decision decision) {
    return new Refusal(
        decision.withoutJudgement(),
        decision.judgement() == null ? Set.of() : decision.judgement().rejectors());
  }
}
