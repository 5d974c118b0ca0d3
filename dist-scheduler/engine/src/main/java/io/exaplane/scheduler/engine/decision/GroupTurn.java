// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.decision;

import io.exaplane.scheduler.engine.gang.Assumptions;
import io.exaplane.scheduler.engine.gang.GroupCycle;
import io.exaplane.scheduler.engine.gang.GroupCycle.Verdict;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.placement.Judgement;
import io.exaplane.scheduler.engine.plugin.GangScheduling;
import io.exaplane.scheduler.engine.plugin.Grant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Decides about the pods of a group as 1.36 does: each as if those before it were where they go.
 * Victims stay where they are meanwhile, as in kube-scheduler, which evicts them all the same if
 * the group finds too few places; here nobody has to go then. For the cluster's thread.
 */
final class GroupTurn {
  /** What is said of pods that wait until others are gone. */
  static final String WAITS_FOR_PREEMPTION = "pod group is waiting for preemption to complete";

  private static final String OTHER_FAILED = "failed to schedule other pod from a pod group: ";
  private static final String NO_GROUP =
      "running Permit plugin \"GangScheduling\": failed to get podGroup %s: podgroup.scheduling.k8s.io \"%s\" not found";

  /**
   * What was found out about a pod by itself.
   *
   * @param failed whether there was an error, or something that is not supported
   */
  private record Tried(Decision decision, boolean permitted, boolean failed) {}

  private final Cluster cluster;
  private final Function<PlacedPod, Decision> decide;
  private final Assumptions assumptions;
  private final GroupCycle group = new GroupCycle();
  private final List<Tried> tried = new ArrayList<>();

  /** Whether nothing was decided, as something is not supported. */
  private boolean undecided;

  GroupTurn(Cluster cluster, Function<PlacedPod, Decision> decide) {
    this.cluster = cluster;
    this.decide = decide;
    assumptions = new Assumptions(cluster);
  }

  /**
   * Decides; afterwards, the cluster is the same as before.
   *
   * @param withReasons whether judgements are wanted: then all is decided once more, so that each
   *     can be read before the next pod's takes its place. Otherwise there are none
   * @return what becomes of the pods, in their order
   */
  List<Decision> decide(List<PlacedPod> pods, boolean withReasons, Consumer<GroupMember> members) {
    try {
      for (PlacedPod pod : pods) {
        if (group.verdict() != Verdict.FAILED) {
          tried.add(attempt(pod));
        }
      }
    } finally {
      assumptions.revert();
    }
    List<Decision> outcomes = new ArrayList<>();
    try {
      for (int i = 0; i < pods.size(); i++) {
        outcomes.add(tell(pods.get(i), i, withReasons, members));
      }
    } finally {
      assumptions.revert();
    }
    return outcomes;
  }

  private Tried attempt(PlacedPod pod) {
    Decision decision = decide.apply(pod);
    Judgement judgement = decision.judgement();
    boolean places = assume(decision);
    if (places && cluster.groups().of(pod.pod()) == null) {
      group.failed(NO_GROUP.formatted(pod.pod().groupKey(), pod.pod().group()));
      return new Tried(decision.withoutJudgement(), false, true);
    }
    boolean permitted = places && GangScheduling.permits(pod.pod(), cluster.groups());
    undecided |= judgement != null && judgement.unsupported() != null;
    boolean failed = undecided || (judgement != null && judgement.error() != null);
    if (places) {
      group.found(decision.node().isEmpty(), permitted);
    } else if (failed) {
      group.failed(decision.message());
    }
    return new Tried(decision.withoutJudgement(), permitted, failed);
  }

  private Decision tell(PlacedPod pod, int i, boolean withReasons, Consumer<GroupMember> members) {
    if (i >= tried.size()) {
      Decision outcome = Decision.stays(pod, null, !undecided, otherFailed());
      members.accept(new GroupMember(outcome, "", outcome));
      return outcome;
    }
    Tried before = tried.get(i);
    Decision decision = withReasons ? decide.apply(pod) : before.decision();
    Decision outcome = outcome(decision, before.failed());
    String said = before.permitted() ? "Success" : "Wait: " + GangScheduling.WAITS;
    boolean places = !decision.place().isEmpty();
    members.accept(new GroupMember(decision, places ? said : "", outcome));
    if (withReasons) {
      assume(decision);
    }
    return outcome;
  }

  /** False if there is no place for the pod. */
  private boolean assume(Decision decision) {
    String place = decision.place();
    if (place.isEmpty()) {
      return false;
    }
    int node = cluster.nodeId(place);
    boolean preempts = decision.node().isEmpty() && decision.judgement() != null;
    List<Grant> grants = preempts ? decision.judgement().grants(node) : decision.grants();
    assumptions.assume(decision.pod(), node, grants);
    return true;
  }

  private Decision outcome(Decision decision, boolean failed) {
    boolean places = !decision.place().isEmpty();
    return switch (group.verdict()) {
      case SCHEDULED -> decision;
      case WAITS_FOR_PREEMPTION ->
          decision.node().isEmpty() ? decision : decision.waits(WAITS_FOR_PREEMPTION);
      case UNSCHEDULABLE -> places ? decision.staysBecause(true, GangScheduling.WAITS) : decision;
      case FAILED -> failed ? failed(decision) : decision.staysBecause(!undecided, otherFailed());
    };
  }

  /** A pod may have failed over its group though it had a place. */
  private Decision failed(Decision decision) {
    return decision.place().isEmpty() ? decision : decision.staysBecause(true, group.error());
  }

  private String otherFailed() {
    return OTHER_FAILED + group.error();
  }
}
