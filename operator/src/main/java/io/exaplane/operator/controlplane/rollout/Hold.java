// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.rollout;

import io.exaplane.operator.controlplane.rollout.ComponentView.Live;
import io.exaplane.operator.controlplane.rollout.ComponentView.PodView;
import java.util.List;

/**
 * How far a Deployment goes by itself. Immutable.
 *
 * <p>While {@code allowed} is set, Kubernetes counts no pod of the newest template as available. So
 * the Deployment ends exactly so many of the older pods as may be unavailable, however long nobody
 * looks.
 *
 * @param paused whether it makes no pod of a template that has none
 * @param allowed how many older pods may have ended; null if readiness alone decides
 * @param surge how many pods may be there beside those that are wanted
 */
public record Hold(boolean paused, Integer allowed, int surge) {
  /** Readiness alone decides: nothing is replaced, or nothing serves. */
  public static final Hold NONE = new Hold(false, null, 1);

  /**
   * Of a template that has no pod yet. Kubernetes refuses two zeros: without a surge, also one that
   * is paused, and ends no pod, has the number of those that may be missing.
   */
  static Hold beginning(RolloutPolicy policy, int replicas, boolean goesOn) {
    int surge = policy.surge(replicas);
    int allowed = goesOn || surge == 0 ? policy.unavailable(replicas) : 0;
    return new Hold(!goesOn, allowed, surge);
  }

  /**
   * One older pod may have ended for each new one that has settled, beside those that may be
   * missing. A Deployment that was paused without a number stays paused until Kubernetes counts
   * none of its new pods as available: its count is older than the number at first.
   *
   * @param newest its pods of the newest template
   * @param goesOn whether no gate is closed
   */
  static Hold next(RolloutPolicy policy, Live live, List<PodView> newest, boolean goesOn) {
    if (goesOn && live.ready() == 0) {
      return NONE;
    }
    Hold now = live.hold();
    int ready = (int) newest.stream().filter(pod -> pod.readySince().isPresent()).count();
    // More new pods at once are no way around a gate that is closed.
    int surge = goesOn ? policy.surge(live.replicas()) : now.surge();
    int more = ready + policy.unavailable(live.replicas());
    int stays = now.counts() ? now.allowed() : Math.max(0, live.updated() - surge);
    boolean counted = now.counts() && live.available() + live.updated() <= live.total();
    return new Hold(now.paused() && !counted, goesOn ? more : stays, surge);
  }

  /** Whether the number of the operator, and not readiness, decides which older pods end. */
  public boolean counts() {
    return allowed != null;
  }
}
