// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.explain;

import io.exaplane.scheduler.gang.Assumptions;
import io.exaplane.scheduler.gang.GroupCycle;
import io.exaplane.scheduler.model.Cluster;
import io.exaplane.scheduler.model.PlacedPod;
import io.exaplane.scheduler.model.device.ResourceClaim;
import io.exaplane.scheduler.placement.Judgement;
import io.exaplane.scheduler.plugin.GangScheduling;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Decides about the pods of a group: each as if those before it were where they go. Victims stay
 * where they are meanwhile, as in kube-scheduler, which evicts them all the same if the group finds
 * too few places; here nobody has to go then. For the cluster's thread.
 */
final class GroupTurn {
  /** What is said of pods that wait until others are gone. */
  static final String WAITS_FOR_PREEMPTION = "pod group is waiting for preemption to complete";

  private static final String OTHER_FAILED = "failed to schedule other pod from a pod group: ";

  private final Cluster cluster;
  private final Function<PlacedPod, Decision> decide;
  private final Assumptions assumptions;
  private final List<Decision> decisions = new ArrayList<>();
  private final List<Boolean> permits = new ArrayList<>();

  GroupTurn(Cluster cluster, Function<PlacedPod, Decision> decide) {
    this.cluster = cluster;
    this.decide = decide;
    assumptions = new Assumptions(cluster);
  }

  /**
   * Decides; the cluster is what it was afterwards.
   *
   * @param withReasons whether judgements are wanted: then all is decided once more, so that each
   *     can be read before the next pod's takes its place
   * @return what becomes of the pods, in their order
   */
  List<Decision> decide(List<PlacedPod> pods, boolean withReasons, Consumer<GroupMember> members) {
    GroupCycle group = new GroupCycle();
    try {
      for (PlacedPod pod : pods) {
        if (group.verdict() != GroupCycle.Verdict.FAILED) {
          decide(pod, group);
        }
      }
    } finally {
      assumptions.revert();
    }
    List<Decision> outcomes = new ArrayList<>();
    try {
      for (int i = 0; i < pods.size(); i++) {
        outcomes.add(tell(pods.get(i), i, group, withReasons, members));
      }
    } finally {
      assumptions.revert();
    }
    return outcomes;
  }

  private void decide(PlacedPod pod, GroupCycle group) {
    Decision decision = decide.apply(pod);
    boolean places = assume(decision);
    boolean permitted = places && GangScheduling.permits(pod.pod(), cluster.groups());
    if (places) {
      group.found(decision.node().isEmpty(), permitted);
    } else if (isFailure(decision)) {
      group.failed(decision.message());
    }
    decisions.add(decision);
    permits.add(permitted);
  }

  private Decision tell(
      PlacedPod pod, int i, GroupCycle group, boolean withReasons, Consumer<GroupMember> members) {
    if (i >= decisions.size()) {
      Decision outcome = Decision.stays(pod, OTHER_FAILED + group.error());
      members.accept(new GroupMember(outcome, false, outcome));
      return outcome;
    }
    Decision decision = withReasons ? decide.apply(pod) : decisions.get(i);
    Decision outcome = outcome(decision, group);
    members.accept(new GroupMember(decision, permits.get(i), outcome));
    if (withReasons) {
      assume(decision);
    }
    return outcome;
  }

  /** False if there is no place for the pod. */
  private boolean assume(Decision decision) {
    String place = decision.place();
    if (!place.isEmpty()) {
      assumptions.assume(decision.pod(), cluster.nodeId(place), decision.grants());
    }
    return !place.isEmpty();
  }

  private static boolean isFailure(Decision decision) {
    Judgement judgement = decision.judgement();
    return judgement != null && (judgement.error() != null || judgement.unsupported() != null);
  }

  private Decision outcome(Decision decision, GroupCycle group) {
    ResourceClaim idle = decision.givenUp();
    Decision alone = idle != null && assumptions.gave(idle) ? decision.withoutGivingUp() : decision;
    boolean places = !decision.place().isEmpty();
    return switch (group.verdict()) {
      case SCHEDULED -> alone;
      case WAITS_FOR_PREEMPTION ->
          decision.node().isEmpty() ? alone : alone.waits(WAITS_FOR_PREEMPTION);
      case UNSCHEDULABLE -> places ? alone.staysBecause(GangScheduling.WAITS) : alone;
      case FAILED -> isFailure(decision) ? alone : alone.staysBecause(OTHER_FAILED + group.error());
    };
  }
}
