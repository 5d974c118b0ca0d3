// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.decision;

import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.device.ResourceClaim;
import io.exaplane.scheduler.engine.placement.Judgement;
import io.exaplane.scheduler.engine.plugin.Grant;
import java.util.List;

/**
 * What becomes of a pod.
 *
 * @param judgement what it rests on; to be read before the next pod is decided. Null if nobody
 *     asked for it and it was not needed
 * @param node where it goes, or empty
 * @param score of that node; 0 if it is the only one
 * @param regret by what share of the best score of all nodes that do this one is worse: nothing but
 *     for a pod that gets the node for which it waited, as no other is asked then; 0 if nobody
 *     asked for reasons
 * @param nominated the node that it waits for while the victims go, or empty
 * @param grants what its claims of devices are given where it goes
 * @param givenUp a claim of its own whose devices cannot be used where it could go: to be
 *     deallocated, or deleted if it was made for extended resources; or null
 * @param waitsNoMore whether it had a nominated node and has none from now on
 * @param message why it goes nowhere, as in the event FailedScheduling; empty if it goes somewhere.
 *     If nobody asked for reasons, only errors and what is said of a group are there
 */
public record Decision(
    PlacedPod pod,
    Judgement judgement,
    String node,
    long score,
    double regret,
    String nominated,
    List<PlacedPod> victims,
    List<Grant> grants,
    ResourceClaim givenUp,
    boolean waitsNoMore,
    String message) {
  /** A pod goes nowhere, for a reason that is not the cluster's. */
  public static Decision stays(PlacedPod pod, String why) {
    return stays(pod, null, false, why);
  }

  /**
   * A pod goes nowhere.
   *
   * @param forgets whether it waits for no node any more, if it did
   */
  static Decision stays(PlacedPod pod, Judgement judgement, boolean forgets, String why) {
    return waitsFor("", pod, judgement, List.of()).with(null, forgets, why);
  }

  /** A pod waits for a node, or for none if that is empty, and these have to go. */
  static Decision waitsFor(
      String node, PlacedPod pod, Judgement judgement, List<PlacedPod> victims) {
    return new Decision(pod, judgement, "", 0, 0, node, victims, List.of(), null, false, "");
  }

  /** The node where it goes, or that it waits for; empty if there is none. */
  public String place() {
    return node.isEmpty() ? nominated : node;
  }

  /** The same pod waits for the node where it would have gone. */
  Decision waits(String why) {
    return waitsFor(node, pod, judgement, List.of()).with(null, false, why);
  }

  /** The same pod goes nowhere, and nobody has to go for it. */
  Decision staysBecause(boolean forgets, String why) {
    return stays(pod, judgement, forgets, why).with(givenUp, forgets, why);
  }

  /** The same with what else comes of it. */
  Decision with(ResourceClaim claim, boolean forgets, String why) {
    boolean waited = forgets && !pod.pod().nominatedNode().isEmpty();
    return new Decision(
        pod, judgement, node, score, regret, nominated, victims, grants, claim, waited, why);
  }

  /** The same with what is said, and whether the pod waits for no node any more, if it did. */
  Decision forgetting(boolean forgets, String why) {
    return with(givenUp, forgets, why);
  }

  /** The same pod, for which these have to go. */
  Decision withVictims(List<PlacedPod> gone) {
    return new Decision(
        pod,
        judgement,
        node,
        score,
        regret,
        nominated,
        gone,
        grants,
        givenUp,
        waitsNoMore,
        message);
  }

  Decision withRegret(double share) {
    return new Decision(
        pod,
        judgement,
        node,
        score,
        share,
        nominated,
        victims,
        grants,
        givenUp,
        waitsNoMore,
        message);
  }

  /** The same, to be kept while the judgement becomes another pod's. */
  public Decision withoutJudgement() {
    return new Decision(
        pod, null, node, score, regret, nominated, victims, grants, givenUp, waitsNoMore, message);
  }
}
