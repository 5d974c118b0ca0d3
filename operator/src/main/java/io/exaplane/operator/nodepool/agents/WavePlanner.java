// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.agents;

import io.exaplane.api.v1alpha1.NodeAgentsResume;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.nodepool.address.NodeSight;
import io.exaplane.operator.nodepool.agents.AgentPlan.PoolWaves;
import io.exaplane.operator.nodepool.agents.WaveLedger.Hold;
import io.exaplane.operator.nodepool.agents.WaveLedger.Spent;
import io.exaplane.operator.nodepool.agents.WaveLedger.Wave;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Which pods of agents restart now, on the nodes of one pool. A wave has one revision of one agent
 * and one zone. It begins while the gate is open, if it fits into the share of the last 60 seconds;
 * it ends when its nodes have a Ready pod of that revision. Pods are named for deletion only by a
 * step that leaves the ledger unchanged: so the ledger is written before. Pure.
 */
final class WavePlanner {
  /** Two looks at a counter, and one that failed. */
  static final Duration UNREAD_PATIENCE = Duration.ofSeconds(30);

  private static final Duration SOON = Duration.ofSeconds(1);
  private static final Duration IDLE = Duration.ofSeconds(30);

  /**
   * What a step goes by.
   *
   * @param nodes of the pool, and those that it answers for
   * @param agents in the order of the spec
   * @param gate asked only if there is something to restart
   */
  record Input(
      PoolWaves policy,
      List<NodeSight> nodes,
      List<AgentSight> agents,
      Supplier<WaveGate.Verdict> gate,
      WaveState state,
      Instant now) {}

  /** A pod to delete. */
  record Deletion(AgentSight agent, AgentPod pod) {}

  /**
   * What follows.
   *
   * @param deletions none if the ledger changed
   * @param again when to look again if nothing changes
   */
  record Step(WaveState state, List<Deletion> deletions, WaveReport report, Duration again) {}

  private final Input in;
  private final Instant now;
  private final List<Spent> spent = new ArrayList<>();
  private final List<Deletion> undeleted = new ArrayList<>();
  private final List<String> pending = new ArrayList<>();
  private Optional<Wave> wave;
  private Optional<Hold> hold;
  private String resumed;
  private int calm;
  private Instant settled;
  private Instant unreadSince;
  private int dead;
  private boolean isUnknown;
  private WaveGate.Verdict gate = new WaveGate.Verdict(WaveGate.State.OPEN, "", Instant.MIN);
  private Duration again = IDLE;

  private WavePlanner(Input in) {
    this.in = in;
    now = in.now().truncatedTo(ChronoUnit.MILLIS);
    WaveLedger ledger = in.state().ledger();
    ledger.spent().stream().filter(one -> one.counts(now)).forEach(spent::add);
    wave = ledger.wave();
    hold = ledger.hold();
    resumed = ledger.resumed();
    calm = in.state().calmLooks();
    settled = in.state().settled();
    unreadSince = in.state().unreadSince();
  }

  /** One step. */
  static Step step(Input in) {
    return new WavePlanner(in).step();
  }

  private Step step() {
    checkWave();
    resumeByHand();
    boolean isWork = wave.isPresent() || in.agents().stream().anyMatch(this::hasOld);
    judge(isWork);
    boolean mayGoOn = isWork && hold.isEmpty() && gate.isOpen() && !isUnknown;
    List<Deletion> deletions = mayGoOn ? goOn() : List.of();
    WaveLedger ledger = new WaveLedger(spent, wave, hold, resumed);
    boolean isWritten = ledger.equals(pruned());
    Instant lastLook = gate.at().isAfter(in.state().lastLook()) ? gate.at() : in.state().lastLook();
    return new Step(
        new WaveState(
            isWritten ? in.state().ledger() : ledger,
            in.state().begun(),
            calm,
            lastLook,
            settled,
            unreadSince),
        isWritten ? deletions : List.of(),
        WaveReport.of(in, wave, hold, gate, undeleted.size() + pending.size()),
        isWritten ? (isWork ? SOON : again) : Duration.ZERO);
  }

  /** Restarts that count no longer are no news. */
  private WaveLedger pruned() {
    WaveLedger before = in.state().ledger();
    return new WaveLedger(
        before.spent().stream().filter(one -> one.counts(now)).toList(),
        before.wave(),
        before.hold(),
        before.resumed());
  }

  /** Looks whether the wave is over, and what of it is still to come. */
  private void checkWave() {
    if (wave.isEmpty()) {
      return;
    }
    Wave one = wave.get();
    Optional<AgentSight> found =
        in.agents().stream().filter(each -> each.ref().text().equals(one.agent())).findFirst();
    if (found.isEmpty() || found.get().state() == AgentSight.State.MISSING) {
      drop();
      return;
    }
    AgentSight agent = found.get();
    if (!agent.isKnown()) {
      isUnknown = true;
      return;
    }
    if (!agent.uid().equals(one.uid()) || !agent.revision().equals(one.revision())) {
      drop();
      return;
    }
    in.nodes().stream()
        .filter(node -> one.nodes().contains(node.name()))
        .forEach(node -> check(agent, node));
    if (undeleted.isEmpty() && !one.isCarriedOut()) {
      wave = Optional.of(one.carriedOut(now));
    }
    boolean isDone = pending.size() == dead && dead <= tolerated(one);
    boolean isEnough = now.isAfter(late(one)) && pending.size() <= tolerated(one);
    if (undeleted.isEmpty() && (isDone || isEnough)) {
      end();
    }
  }

  /** Of ten thousand nodes a few die in any five minutes. */
  private int tolerated(Wave one) {
    return one.pods() * in.policy().gate().maxUnreadyPercent() / 100;
  }

  private void check(AgentSight agent, NodeSight node) {
    List<AgentPod> pods = agent.on(node.name());
    if (node.ready() && pods.stream().anyMatch(pod -> isDone(agent, pod))) {
      return;
    }
    Optional<AgentPod> old =
        pods.stream().filter(pod -> !pod.isLeaving() && !agent.isCurrent(pod)).findFirst();
    if (old.isEmpty()) {
      pending.add(node.name());
      dead += node.ready() ? 0 : 1;
    } else if (node.ready()) {
      undeleted.add(new Deletion(agent, old.get()));
    }
    // The kubelet of one that is not Ready stops no pod: it is left to a later wave.
  }

  private boolean isDone(AgentSight agent, AgentPod pod) {
    int seconds = Math.max(agent.minReadySeconds(), in.policy().gate().minReadySeconds());
    return agent.isCurrent(pod)
        && pod.isReady()
        && !now.isBefore(pod.readySince().plusSeconds(seconds));
  }

  /** No more of the wave is waited for. What restarted counts on. */
  private void end() {
    Wave over = wave.orElseThrow();
    Instant last = now.isBefore(over.until()) ? now : over.until();
    Spent counted = new Spent(last, over.pods());
    if (counted.counts(now)) {
      spent.add(counted);
    }
    wave = Optional.empty();
    settled = now;
    undeleted.clear();
    pending.clear();
    dead = 0;
  }

  /** Its agent is another one, or nobody's: an incident of the wave is over with it. */
  private void drop() {
    end();
    hold = hold.filter(one -> one.reason() != Reason.WaveNotReady);
  }

  private boolean hasOld(AgentSight agent) {
    return agent.isKnown() && in.nodes().stream().anyMatch(node -> old(agent, node).isPresent());
  }

  /** A pod of an earlier revision that a kubelet would replace. */
  private static Optional<AgentPod> old(AgentSight agent, NodeSight node) {
    return node.ready()
        ? agent.on(node.name()).stream()
            .filter(pod -> !pod.isLeaving() && !agent.isCurrent(pod))
            .findFirst()
        : Optional.empty();
  }

  /** A person has looked: what did not get Ready is waited for no longer. */
  private void resumeByHand() {
    String token = in.policy().resume();
    if (hold.isEmpty()
        || token.isEmpty()
        || token.equals(resumed)
        || !hold.get().isNamedBy(token)) {
      return;
    }
    boolean isWave = hold.get().reason() == Reason.WaveNotReady;
    hold = Optional.empty();
    resumed = token;
    calm = 0;
    if (isWave && wave.isPresent()) {
      end();
    }
  }

  private void judge(boolean isWork) {
    if (!isWork) {
      // Of an agent that nobody has seen yet nobody knows whether there is work.
      if (in.agents().stream().allMatch(AgentSight::isSeen)) {
        hold = Optional.empty();
        calm = 0;
        unreadSince = Instant.MAX;
      }
      return;
    }
    gate = in.gate().get();
    boolean isUnread = gate.state() == WaveGate.State.UNREAD;
    unreadSince = !isUnread ? Instant.MAX : unreadSince.isAfter(now) ? now : unreadSince;
    // Pods that nobody deleted yet are the operator's to delete, and no reason to wait for a
    // person.
    boolean isLate = wave.filter(one -> one.isCarriedOut() && now.isAfter(late(one))).isPresent();
    if (hold.isEmpty()) {
      calm = 0;
      if (gate.state() == WaveGate.State.CLOSED
          || isUnread && !now.isBefore(unreadSince.plus(UNREAD_PATIENCE))) {
        hold = Optional.of(new Hold(now, Reason.GateClosed, gate.text()));
      } else if (isLate) {
        hold = Optional.of(new Hold(now, Reason.WaveNotReady, notReady()));
      }
      return;
    }
    if (!gate.isOpen() || isLate && hold.get().reason() == Reason.WaveNotReady) {
      calm = 0;
    } else if (gate.at().isAfter(in.state().lastLook())) {
      calm++;
    }
    if (in.policy().mode() == NodeAgentsResume.Automatic
        && calm >= in.policy().gate().calmLooks()) {
      hold = Optional.empty();
      calm = 0;
    }
  }

  private Instant late(Wave one) {
    Instant begun = in.state().begun();
    return (begun.isAfter(one.until()) ? begun : one.until())
        .plusSeconds(in.policy().gate().readyTimeoutSeconds());
  }

  private String notReady() {
    List<String> all =
        Stream.concat(undeleted.stream().map(each -> each.pod().node()), pending.stream())
            .sorted()
            .toList();
    return "%d of %d nodes of the wave have no Ready pod of %s after %d s, first %s"
        .formatted(
            all.size(),
            wave.orElseThrow().pods(),
            wave.get().agent(),
            in.policy().gate().readyTimeoutSeconds(),
            all.isEmpty() ? "none" : all.getFirst());
  }

  private List<Deletion> goOn() {
    if (wave.isEmpty()) {
      begin();
      return List.of();
    }
    if (undeleted.isEmpty()) {
      return List.of();
    }
    Wave one = wave.get();
    if (!now.isBefore(one.until())) {
      beginAgain(one);
      return List.of();
    }
    return undeleted.stream()
        .filter(each -> !now.isBefore(WavePace.due(one, each.pod().node())))
        .toList();
  }

  /** What an operator left that died, or an API that did not answer. */
  private void beginAgain(Wave one) {
    int left = undeleted.size();
    if (left > share()) {
      // The share is smaller by now: smaller waves follow.
      end();
      return;
    }
    if (left > share() - used()) {
      return;
    }
    Spent done = new Spent(one.until(), Math.max(0, one.pods() - left));
    if (done.pods() > 0 && done.counts(now)) {
      spent.add(done);
    }
    wave =
        Optional.of(
            new Wave(
                one.agent(),
                one.uid(),
                one.revision(),
                one.zone(),
                now,
                now.plus(WavePace.spread(left)).plus(WavePace.SLACK),
                false,
                left,
                one.nodes()));
  }

  private long used() {
    return new WaveLedger(spent, wave, Optional.empty(), "").used(now);
  }

  private int share() {
    return WavePace.share(in.nodes().size(), in.policy().percentPerMinute());
  }

  /** The first agent with something to do, in the first zone with something to do. */
  private void begin() {
    if (!gate.at().isAfter(settled)) {
      return;
    }
    AgentSight agent = in.agents().stream().filter(this::hasOld).findFirst().orElseThrow();
    TreeMap<String, List<AgentPod>> zones = new TreeMap<>();
    in.nodes()
        .forEach(
            node ->
                old(agent, node)
                    .ifPresent(
                        pod ->
                            zones.computeIfAbsent(node.zone(), _ -> new ArrayList<>()).add(pod)));
    List<AgentPod> zone = zones.firstEntry().getValue();
    int pods = Math.min(zone.size(), share());
    if (pods > share() - used()) {
      return;
    }
    // Who serves nobody anyway comes first.
    List<String> nodes =
        zone.stream()
            .sorted(Comparator.comparing(AgentPod::isReady).thenComparing(AgentPod::node))
            .limit(pods)
            .map(AgentPod::node)
            .toList();
    wave =
        Optional.of(
            new Wave(
                agent.ref().text(),
                agent.uid(),
                agent.revision(),
                zones.firstKey(),
                now,
                now.plus(WavePace.spread(pods)).plus(WavePace.SLACK),
                false,
                pods,
                NodeSet.of(nodes)));
  }
}
