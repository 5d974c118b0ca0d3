// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.root;

import io.exaplane.scheduler.commit.Committer;
import io.exaplane.scheduler.commit.Notice;
import io.exaplane.scheduler.commit.PodRef;
import io.exaplane.scheduler.commit.PodStatus;
import io.exaplane.scheduler.commit.Preemptor;
import io.exaplane.scheduler.commit.Victim;
import io.exaplane.scheduler.engine.decision.Decision;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.Pod;
import io.exaplane.scheduler.engine.queue.Intake;
import io.exaplane.scheduler.engine.queue.SchedulingQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jboss.logging.Logger;

/**
 * Lets pods go for more important ones, or for groups of such. For the cluster's thread, but for
 * {@link #preempted}. Source: pkg/scheduler/framework/preemption/executor.go.
 */
final class Preemptions {
  private static final Logger LOG = Logger.getLogger(Preemptions.class);

  private final Cluster cluster;
  private final SchedulingQueue queue;
  private final Intake intake;
  private final Committer committer;
  private final Inbox inbox;
  private final Evictions evictions;
  private final Bindings bindings;
  private final LongAdder preempted = new LongAdder();

  Preemptions(
      Cluster cluster,
      SchedulingQueue queue,
      Intake intake,
      Committer committer,
      Inbox inbox,
      Evictions evictions,
      Bindings bindings) {
    this.cluster = cluster;
    this.queue = queue;
    this.intake = intake;
    this.committer = committer;
    this.inbox = inbox;
    this.evictions = evictions;
    this.bindings = bindings;
  }

  /** Pods that had to go. */
  long preempted() {
    return preempted.sum();
  }

  /** Lets the victims of a decision go; {@link Evictions#begin} was told before. */
  void makeRoom(Pod pod, Decision decision) {
    boolean withGroup = queue.waitsWithGroup(pod);
    Preemptor by =
        withGroup
            ? Preemptor.of(cluster.groups().of(pod), pod.spec().schedulerName())
            : Preemptor.of(PodRef.of(pod), decision.nominated());
    if (!withGroup) {
      clearLowerNominations(pod, decision);
    }
    List<Victim> victims = new ArrayList<>();
    for (PlacedPod victim : decision.victims()) {
      PodRef other = PodRef.of(victim.pod());
      if (bindings.holdBack(victim.pod())) {
        committer.tell(Notice.heldBack(other, by));
      } else {
        victims.add(new Victim(other, victim.pod().nodeName()));
      }
    }
    preempted.add(decision.victims().size());
    committer.evict(
        victims,
        by,
        trouble -> {
          if (trouble != null) {
            LOG.warnf("%s cannot preempt pods on %s: %s", by, by.where(), trouble);
          }
          inbox.put(() -> evictions.asked(pod, trouble != null));
        });
  }

  /** Where others go for a whole group, kube-scheduler lets those that wait there wait on. */
  private void clearLowerNominations(Pod pod, Decision decision) {
    int node = cluster.nodeId(decision.nominated());
    for (PlacedPod other : List.copyOf(cluster.nominated(node))) {
      if (other.spec().priority() < pod.spec().priority()) {
        intake.nominate(other.pod().key(), "");
        committer.say(PodRef.of(other.pod()), PodStatus.waitsNoMore());
      }
    }
  }
}
