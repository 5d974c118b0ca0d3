// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.root;

import io.exaplane.scheduler.commit.Committer;
import io.exaplane.scheduler.commit.GroupStatus;
import io.exaplane.scheduler.commit.PodRef;
import io.exaplane.scheduler.commit.PodStatus;
import io.exaplane.scheduler.engine.decision.Decider;
import io.exaplane.scheduler.engine.decision.Decision;
import io.exaplane.scheduler.engine.decision.GroupMember;
import io.exaplane.scheduler.engine.decision.GroupObserver;
import io.exaplane.scheduler.engine.decision.GroupOutcome;
import io.exaplane.scheduler.engine.decision.Refusal;
import io.exaplane.scheduler.engine.decision.Refusals;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.Pod;
import io.exaplane.scheduler.engine.model.PodGroup;
import io.exaplane.scheduler.engine.plugin.GangScheduling;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.queue.GroupEnd;
import io.exaplane.scheduler.engine.queue.Intake;
import io.exaplane.scheduler.engine.queue.QueuedPod;
import io.exaplane.scheduler.engine.queue.SchedulingQueue;
import io.exaplane.scheduler.gather.Gatherer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/**
 * Takes turns: whose it is, what becomes of it, and who is told. For the cluster's thread, but for
 * {@link #counts}. Source: pkg/scheduler/schedule_one.go.
 */
final class Turns {
  private static final Logger LOG = Logger.getLogger(Turns.class);

  /** Pods on their way to a node; more would only wait for the API server. */
  private static final int MOST_ON_THEIR_WAY = 4096;

  /** Turns that are ordered by what is alike. */
  private static final int LARGEST_WINDOW = 4096;

  private static final int SMALLEST_WINDOW = 256;
  private static final long LONG_NS = TimeUnit.MILLISECONDS.toNanos(400);
  private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Cluster cluster;
  private final SchedulingQueue queue;
  private final Intake intake;
  private final Committer committer;
  private final Decider fast;
  private final Decider withReasons;
  private final Refusals refusals;
  private final Bindings bindings;
  private final Set<String> gangs;
  private final Evictions evictions;
  private final Preemptions preemptions;

  /** Null if there are none. */
  private final ByShards shards;

  private final Durations durations;
  private int window = SMALLEST_WINDOW;

  private final LongAdder refused = new LongAdder();

  Turns(
      RootConfig config,
      Cluster cluster,
      SchedulingQueue queue,
      Intake intake,
      Committer committer,
      Inbox inbox,
      Evictions evictions,
      Gatherer gatherer,
      Durations durations) {
    this.durations = durations;
    this.cluster = cluster;
    this.queue = queue;
    this.intake = intake;
    this.committer = committer;
    this.evictions = evictions;
    fast = new Decider(cluster, config.profiles(), config.seed(), false);
    shards = gatherer == null ? null : new ByShards(fast, gatherer);
    withReasons = new Decider(cluster, config.profiles(), config.seed(), true);
    refusals = new Refusals(cluster, withReasons);
    bindings = new Bindings(config, cluster, intake, committer, inbox, durations);
    preemptions = new Preemptions(cluster, queue, intake, committer, inbox, evictions, bindings);
    gangs =
        config.profiles().stream()
            .filter(Profile::schedulesGangs)
            .map(Profile::schedulerName)
            .collect(Collectors.toSet());
  }

  Counts counts() {
    return new Counts(
        bindings.decided(),
        bindings.bound(),
        bindings.failed(),
        refused.sum(),
        preemptions.preempted(),
        shards == null ? 0 : shards.bySaid(),
        shards == null ? 0 : shards.alone(),
        committer.droppedEvents());
  }

  /** Looks whose wait is over; to be called again and again. */
  void look(long nowNs) {
    bindings.look(nowNs);
    evictions.look(nowNs);
  }

  /** Takes turns; false if there is none to take. */
  boolean take() throws InterruptedException {
    int room = MOST_ON_THEIR_WAY - bindings.underWay();
    if (room <= 0) {
      return false;
    }
    if (shards == null || !shards.isWorthAsking()) {
      return takeOne();
    }
    // A few at a time would cost a round each.
    return room >= SMALLEST_WINDOW && takeSeveral(Math.min(room, window));
  }

  private boolean takeOne() {
    List<QueuedPod> pods = intake.pop();
    Turn turn = turn(pods);
    if (turn != null && turn.isGrouped()) {
      decideTogether(turn);
    } else if (turn != null) {
      long startNs = System.nanoTime();
      Decision decision = fast.decide(turn.order().getFirst());
      durations.decided(System.nanoTime() - startNs);
      follow(turn.first(), decision);
    }
    return !pods.isEmpty();
  }

  /** Those that are alike, one after another: shards are asked for all of them. */
  private boolean takeSeveral(int most) throws InterruptedException {
    long start = System.nanoTime();
    long lookedNs = start;
    List<Window.Turn<Turn>> turns = new ArrayList<>();
    List<QueuedPod> pods = intake.pop();
    while (!pods.isEmpty()) {
      Turn turn = turn(pods);
      if (turn != null) {
        PlacedPod first = turn.order().getFirst();
        Object alike = turn.isGrouped() ? null : shards.alike(first);
        turns.add(new Window.Turn<>(first.spec().priority(), alike, turn));
      }
      pods = turns.size() < most ? intake.pop() : List.of();
    }
    for (List<Turn> alike : Window.order(turns)) {
      int toCome = alike.size();
      for (Turn turn : alike) {
        if (turn.isGrouped()) {
          decideTogether(turn);
        } else {
          long startNs = System.nanoTime();
          Decision decision = shards.decide(turn.order().getFirst(), toCome--);
          durations.decided(System.nanoTime() - startNs);
          follow(turn.first(), decision);
        }
        if (System.nanoTime() - lookedNs > SHORT_NS) {
          shards.look();
          lookedNs = System.nanoTime();
        }
      }
    }
    resize(System.nanoTime() - start, turns.size());
    return !turns.isEmpty();
  }

  /** What is told meanwhile waits for as long as a window takes. */
  private void resize(long tookNs, int turns) {
    if (tookNs > LONG_NS) {
      window = Math.max(SMALLEST_WINDOW, window / 2);
    } else if (tookNs < SHORT_NS && turns == window) {
      window = Math.min(LARGEST_WINDOW, 2 * window);
    }
  }

  /** Whose turn it is, and of whom there is something to decide. */
  private record Turn(List<PlacedPod> order, Map<PlacedPod, QueuedPod> pods, boolean isGrouped) {
    QueuedPod first() {
      return pods.get(order.getFirst());
    }
  }

  /** Null if there is nothing to decide about any of them. */
  private Turn turn(List<QueuedPod> pods) {
    Map<PlacedPod, QueuedPod> waiting = new HashMap<>();
    List<PlacedPod> order = new ArrayList<>();
    for (QueuedPod pod : pods) {
      PlacedPod known = cluster.pod(pod.pod().key());
      if (isToBeDecidedAbout(pod, known)) {
        order.add(known);
        waiting.put(known, pod);
      }
    }
    if (order.isEmpty()) {
      if (!pods.isEmpty() && queue.waitsWithGroup(pods.getFirst().pod())) {
        intake.ended(pods.getFirst().pod().groupKey(), GroupEnd.PLACED);
      }
      return null;
    }
    Pod first = order.getFirst().pod();
    boolean grouped = !first.group().isEmpty() && gangs.contains(first.spec().schedulerName());
    return new Turn(order, waiting, grouped);
  }

  /** Source: schedule_one.go, skipPodSchedule. */
  private boolean isToBeDecidedAbout(QueuedPod pod, PlacedPod known) {
    boolean waits =
        known != null
            && known.pod().nodeName().isEmpty()
            && known.pod().uid().equals(pod.pod().uid());
    if (!waits || known.spec().terminating()) {
      queue.done(pod);
      return false;
    }
    return true;
  }

  private void follow(QueuedPod pod, Decision decision) {
    if (decision.node().isEmpty()) {
      Refusal refusal = refusals.of(decision.pod());
      if (refusal.decision().node().isEmpty()) {
        refuse(pod, refusal);
      } else {
        LOG.warnf("%s: the shards found no node, but the root found one", pod.pod().key());
        bindings.commit(pod, refusal.decision());
      }
    } else {
      bindings.commit(pod, decision);
    }
  }

  private void decideTogether(Turn turn) {
    if (queue.waitsWithGroup(turn.first().pod())) {
      decideWhole(turn);
      return;
    }
    List<Decision> decisions = fast.decideTogether(turn.order(), member -> {});
    if (decisions.stream().noneMatch(decision -> decision.node().isEmpty())) {
      decisions.forEach(decision -> bindings.commit(turn.pods().get(decision.pod()), decision));
      return;
    }
    List<Refusal> outcomes = new ArrayList<>();
    withReasons.decideTogether(
        turn.order(),
        member -> {
          Set<String> plugins = Refusals.of(member.decision()).plugins();
          Set<String> waits = Set.of(GangScheduling.NAME);
          Decision outcome = member.outcome().withoutJudgement();
          outcomes.add(new Refusal(outcome, plugins.isEmpty() ? waits : plugins));
        });
    for (Refusal outcome : outcomes) {
      QueuedPod pod = turn.pods().get(outcome.decision().pod());
      if (outcome.decision().node().isEmpty()) {
        refuse(pod, outcome);
      } else {
        bindings.commit(pod, outcome.decision());
      }
    }
  }

  /** From 1.37 on: about a group, which waits as a whole if not all of its pods find nodes. */
  private void decideWhole(Turn turn) {
    String key = turn.first().pod().groupKey();
    PodGroup group = cluster.groups().group(key);
    List<Decision> decisions = fast.decideInTurn(turn.order(), member -> {});
    GroupOutcome outcome;
    if (decisions.stream().noneMatch(decision -> decision.node().isEmpty())) {
      decisions.forEach(decision -> bindings.commit(turn.pods().get(decision.pod()), decision));
      outcome = new GroupOutcome(GroupEnd.PLACED, GroupEnd.PLACED, "");
    } else {
      Members members = new Members();
      withReasons.decideInTurn(turn.order(), members);
      outcome = members.outcome;
      boolean error = outcome.end() == GroupEnd.FAILED;
      for (Refusal refusal : members.refusals) {
        QueuedPod pod = turn.pods().get(refusal.decision().pod());
        if (refusal.decision().node().isEmpty()) {
          refuse(pod, refusal, error);
        } else {
          bindings.commit(pod, refusal.decision());
        }
      }
    }
    intake.ended(key, outcome.attempt());
    if (group != null) {
      committer.say(group, status(outcome));
    }
  }

  private static GroupStatus status(GroupOutcome outcome) {
    return outcome.end() == GroupEnd.PLACED
        ? GroupStatus.scheduled()
        : GroupStatus.refused(outcome.end() == GroupEnd.FAILED, outcome.message());
  }

  /** What becomes of the pods of a group. */
  private static final class Members implements GroupObserver {
    private final List<Refusal> refusals = new ArrayList<>();
    private GroupOutcome outcome;

    /** A pod that has a place was refused by nobody. */
    @Override
    public void accept(GroupMember member) {
      boolean places = !member.decision().node().isEmpty();
      Set<String> plugins = places ? Set.of() : Refusals.of(member.decision()).plugins();
      refusals.add(new Refusal(member.outcome().withoutJudgement(), plugins));
    }

    @Override
    public void ended(GroupOutcome group) {
      outcome = group;
    }
  }

  private void refuse(QueuedPod pod, Refusal refusal) {
    refuse(pod, refusal, refusal.plugins().isEmpty() && cluster.nodeCount() > 0);
  }

  private void refuse(QueuedPod pod, Refusal refusal, boolean error) {
    refused.increment();
    Decision decision = refusal.decision();
    PodRef ref = PodRef.of(pod.pod());
    boolean makesRoom = !decision.nominated().isEmpty() && !decision.victims().isEmpty();
    if (makesRoom) {
      evictions.begin(pod.pod(), decision);
    }
    intake.refused(pod, refusal.plugins());
    if (makesRoom) {
      preemptions.makeRoom(pod.pod(), decision);
    }
    if (decision.givenUp() != null) {
      committer.deallocate(decision.givenUp(), ref);
    }
    String nominated = null;
    if (!decision.nominated().isEmpty()) {
      nominated = decision.nominated();
      intake.nominate(pod.pod().key(), nominated);
    } else if (decision.waitsNoMore()) {
      nominated = "";
      intake.nominate(pod.pod().key(), nominated);
    }
    PodStatus status = PodStatus.refused(error, decision.message(), nominated);
    committer.refuse(ref, status, decision.message());
  }
}
