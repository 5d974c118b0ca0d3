// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.split;

import io.exaplane.scheduler.engine.model.Pod;
import io.exaplane.scheduler.engine.model.device.ResourceClaim;
import io.exaplane.scheduler.engine.plugin.Grant;
import java.util.List;

/**
 * What becomes of a pod.
 *
 * @param node where it goes, or empty
 * @param score of that node; 0 if it is the only one
 * @param nominated the node that it waits for while the victims go, or empty
 * @param victims their keys, the most important first
 * @param grants what its claims of devices are given where it goes
 * @param givenUp a claim of its own that gives its devices up, or null
 * @param waitsNoMore whether it had a nominated node and has none from now on
 * @param message why it goes nowhere, as in the event FailedScheduling; empty if it goes somewhere,
 *     and, but for errors, if nobody asked for reasons
 */
public record Outcome(
    Pod pod,
    String node,
    long score,
    String nominated,
    List<String> victims,
    List<Grant> grants,
    ResourceClaim givenUp,
    boolean waitsNoMore,
    String message) {
  static Outcome goes(Pod pod, Bid to, long score) {
    return new Outcome(pod, to.node(), score, "", List.of(), to.grants(), null, false, "");
  }

  static Outcome stays(Pod pod, boolean forgets, String why) {
    boolean waited = forgets && !pod.nominatedNode().isEmpty();
    return new Outcome(pod, "", 0, "", List.of(), List.of(), null, waited, why);
  }
}
