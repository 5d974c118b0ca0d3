// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.nodepool.heartbeat.Heartbeats;
import io.exaplane.operator.nodepool.heartbeat.Wave;
import io.exaplane.operator.status.Patience;
import io.exaplane.operator.status.Verdict;
import java.util.Optional;

/** Whether all nodes say that they live as often as the pool asks. Pure. */
public final class HeartbeatsUpToDateCondition {
  private HeartbeatsUpToDateCondition() {}

  /**
   * From what a pass found.
   *
   * @param controlPlane its name
   */
  public static Verdict of(Beating found, String controlPlane) {
    Heartbeats carried = found.target().carried();
    if (found.target().waits()) {
      Heartbeats wanted = found.target().wanted();
      return Verdict.no(
          Reason.WaitingForGracePeriod,
          "Leases of %d s need a grace period of %d s in kube-controller-manager, which has %d s%s. Nodes keep Leases of %d s until then. If spec.controllerManager.extraArgs of ControlPlane %s has node-monitor-grace-period, raise the value there.%s"
              .formatted(
                  wanted.leaseSeconds(),
                  wanted.neededGraceSeconds(),
                  found.target().grace().seconds(),
                  found.target().grace().runs() ? "" : ", while its pods are replaced",
                  carried.leaseSeconds(),
                  controlPlane,
                  Patience.NO_ACTION));
    }
    int nodes = found.order().nodes();
    if (found.order().others() > 0) {
      Optional<String> hold = found.wave().flatMap(wave -> wave.hold(found.order()));
      String numbers =
          "%d of %d nodes have Leases of %d s, and %d have other heartbeats."
              .formatted(found.updated(), nodes, carried.leaseSeconds(), found.order().others());
      return hold.isPresent()
          ? Verdict.no(Reason.HeartbeatsHeld, numbers + " " + hold.get())
          : Verdict.no(
              Reason.HeartbeatsChanging,
              numbers
                  + found.wave().map(HeartbeatsUpToDateCondition::released).orElse("")
                  + Patience.NO_ACTION);
    }
    return found.unreported() > 0
        ? Verdict.no(
            Reason.HeartbeatsUnknown,
            "%d of %d nodes do not report their heartbeats, so changes do not reach them. Download the current 'join.sh', and run it on their hosts."
                .formatted(found.unreported(), nodes))
        : Verdict.yes(
            Reason.AsExpected,
            "Nodes have Leases of %d s, and report an unchanged status every %d s."
                .formatted(carried.leaseSeconds(), carried.reportSeconds()));
  }

  private static String released(Wave<Heartbeats> wave) {
    return wave.isComplete()
        ? " All nodes may change."
        : " %d %% of the nodes may change so far.".formatted(wave.percent());
  }
}
