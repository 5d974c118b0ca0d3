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
 */
public record Hold(boolean paused, Integer allowed) {
  /** Readiness alone decides: nothing is replaced, or nothing serves. */
  public static final Hold NONE = new Hold(false, null);

  /** Nothing of the template is made. */
  static final Hold PAUSED = new Hold(true, 0);

  /** So many older pods may have ended. */
  static Hold at(int allowed) {
    return new Hold(false, allowed);
  }

  /**
   * One more older pod ends for each new one that has settled. A Deployment that was paused without
   * a number stays paused until Kubernetes counts none of its new pods as available: its count is
   * older than the number at first.
   *
   * @param newest its pods of the newest template
   * @param goesOn whether no gate is closed
   */
  static Hold next(Live live, List<PodView> newest, boolean goesOn) {
    if (goesOn && live.ready() == 0) {
      return NONE;
    }
    Hold now = live.hold();
    int ready = (int) newest.stream().filter(pod -> pod.readySince().isPresent()).count();
    int stays = now.counts() ? now.allowed() : Math.max(0, live.updated() - 1);
    boolean counted = now.counts() && live.available() + live.updated() <= live.total();
    return new Hold(now.paused() && !counted, goesOn ? ready : stays);
  }

  /** Whether the Deployment ends older pods as it is told, and not by readiness. */
  public boolean counts() {
    return allowed != null;
  }
}
