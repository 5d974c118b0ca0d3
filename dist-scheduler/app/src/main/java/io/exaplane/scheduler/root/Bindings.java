// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.root;

import io.exaplane.scheduler.commit.BindingEnd;
import io.exaplane.scheduler.commit.ClaimPlan;
import io.exaplane.scheduler.commit.Commitment;
import io.exaplane.scheduler.commit.Committer;
import io.exaplane.scheduler.commit.PodRef;
import io.exaplane.scheduler.commit.PodStatus;
import io.exaplane.scheduler.commit.Preparation;
import io.exaplane.scheduler.engine.decision.Decision;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.Pod;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.plugin.VolumeBinding;
import io.exaplane.scheduler.engine.plugin.VolumePlan;
import io.exaplane.scheduler.engine.queue.Intake;
import io.exaplane.scheduler.engine.queue.QueuedPod;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import org.jboss.logging.Logger;

/**
 * Pods on their way to nodes: what has to be done before each is bound, and what came of it. For
 * the cluster's thread, but for the counts. Source: pkg/scheduler/schedule_one.go, bindingCycle.
 */
final class Bindings {
  private static final Logger LOG = Logger.getLogger(Bindings.class);
  private static final String PREEMPTED = "preempted by DefaultPreemption";

  private final Cluster cluster;
  private final Intake intake;
  private final Committer committer;
  private final Inbox inbox;
  private final Durations durations;
  private final Waits waits;
  private final Claims claims;

  /** NominatedNodeNameForExpectation: of a pod that needs more than a binding. */
  private final boolean tellsWhereTo;

  private final boolean holdsBack;

  /** By uid, of pods that need more than a binding. */
  private final Map<String, Preparation> preparations = new HashMap<>();

  /** Nanoseconds since 1970, of the last look. */
  private long nowNs;

  private int underWay;
  private final LongAdder decided = new LongAdder();
  private final LongAdder bound = new LongAdder();
  private final LongAdder failed = new LongAdder();

  Bindings(
      RootConfig config,
      Cluster cluster,
      Intake intake,
      Committer committer,
      Inbox inbox,
      Durations durations) {
    this.cluster = cluster;
    this.intake = intake;
    this.committer = committer;
    this.inbox = inbox;
    this.durations = durations;
    waits = new Waits(cluster);
    claims = new Claims(cluster, config.profiles());
    Version version = config.profiles().getFirst().version();
    tellsWhereTo = version.atLeast(Version.V1_35);
    holdsBack = version.atLeast(Version.V1_36);
  }

  /** Looks whose wait is over; to be called again and again. */
  void look(long nowNs) {
    this.nowNs = nowNs;
    waits.look(nowNs);
  }

  /** How many pods wait for nothing but the API server. */
  int underWay() {
    return underWay;
  }

  /** Pods for which a node was found. */
  long decided() {
    return decided.sum();
  }

  /** Pods that got there. */
  long bound() {
    return bound.sum();
  }

  /** Pods that did not. */
  long failed() {
    return failed.sum();
  }

  /** Lets a pod go to the node that was decided on. */
  void commit(QueuedPod pod, Decision decision) {
    ClaimPlan devices = claims.planOf(decision);
    int node = cluster.nodeId(decision.node());
    VolumePlan volumes =
        VolumeBinding.plan(decision.pod().spec(), cluster.nodes().node(node), cluster.volumes());
    if (!intake.assume(pod, node, devices.grants(), volumes)) {
      return;
    }
    decided.increment();
    PodRef ref = PodRef.of(pod.pod());
    boolean isSlow = !volumes.isEmpty() || devices.hasBindingConditions();
    underWay += isSlow ? 0 : 1;
    boolean tellsWhere = tellsWhereTo && (!volumes.isEmpty() || !devices.isEmpty());
    Preparation preparation = new Preparation();
    if (tellsWhere) {
      preparations.put(ref.uid(), preparation);
    }
    long startNs = System.nanoTime();
    committer.bind(
        new Commitment(
            ref,
            decision.node(),
            tellsWhere,
            preparation,
            devices,
            made -> later(pod.pod(), claims.ready(pod.pod(), devices, made)),
            volumes,
            () -> later(pod.pod(), new VolumeWait(cluster, volumes))),
        end ->
            inbox.put(
                () -> {
                  underWay -= isSlow ? 0 : 1;
                  if (end.isThere()) {
                    durations.bound(System.nanoTime() - startNs);
                    durations.scheduled(Math.max(0, nowNs - pod.sinceNs()));
                  }
                  preparations.remove(ref.uid());
                  ended(pod, decision.node(), tellsWhere, end);
                }));
  }

  /** What comes of it, as the cluster's thread sees it. */
  private CompletableFuture<String> later(Pod pod, Waits.Awaited awaited) {
    CompletableFuture<String> outcome = new CompletableFuture<>();
    inbox.put(() -> waits.add(pod, awaited, outcome));
    return outcome;
  }

  private void ended(QueuedPod pod, String node, boolean toldWhere, BindingEnd end) {
    if (end.isThere()) {
      intake.bound(pod);
      bound.increment();
      return;
    }
    failed.increment();
    LOG.infof("%s was not bound to %s: %s", pod.pod().key(), node, end.trouble());
    intake.bindingFailed(pod, node, end.allocated());
    PlacedPod known = cluster.pod(pod.pod().key());
    if (known != null && known.pod().uid().equals(pod.pod().uid())) {
      String nominated = toldWhere || !pod.pod().nominatedNode().isEmpty() ? "" : null;
      PodStatus status = PodStatus.refused(true, end.trouble(), nominated);
      committer.refuse(PodRef.of(pod.pod()), status, end.trouble());
    }
  }

  /**
   * A more important pod gets the place of one on its way. That need not be deleted if more than
   * its binding is to be written, as of 1.36.
   *
   * @return false if it has to be
   */
  boolean holdBack(Pod pod) {
    Preparation preparation = preparations.get(pod.uid());
    boolean held = holdsBack && preparation != null && preparation.holdBack(PREEMPTED);
    if (held) {
      waits.cancel(pod, PREEMPTED);
    }
    return held;
  }
}
