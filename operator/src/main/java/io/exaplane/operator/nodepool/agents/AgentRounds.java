// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.agents;

import io.exaplane.api.v1alpha1.NodeAgentRef;
import io.exaplane.operator.nodepool.address.NodeSight;
import io.exaplane.operator.nodepool.agents.AgentPlan.PoolWaves;
import io.exaplane.operator.nodepool.agents.AgentPort.Stored;
import io.exaplane.operator.outcome.Refusals;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/**
 * What is done about the agents of one cluster, round by round: DaemonSets are held or given back,
 * each pool's planner makes a step, its ledger is written, and only then pods are deleted. One
 * thread calls {@link #round}; any thread may give a plan and read reports.
 */
final class AgentRounds {
  private static final Logger LOG = Logger.getLogger(AgentRounds.class);
  private static final Duration IDLE = Duration.ofSeconds(30);
  private static final Duration AGAIN = Duration.ofSeconds(5);

  /** A status is not written more often. */
  private static final Duration REPORT_EVERY = Duration.ofSeconds(2);

  private final Map<String, PoolRun> runs = new HashMap<>();
  private final Map<String, Revision> revisions = new HashMap<>();
  private final Map<String, WaveReport> reports = new ConcurrentHashMap<>();
  private final Set<String> leaving = ConcurrentHashMap.newKeySet();
  private final AgentWorld world;
  private final AgentPort port;
  private final AgentHolds holds;
  private final PolicyKeeper policy;
  private final Clock clock;
  private volatile Asked asked;
  private volatile AgentPlan givenBack;

  /** What passes ask for. */
  private record Asked(AgentPlan plan, Consumer<String> changed) {}

  private record Revision(long generation, String hash) {}

  /** Of one pool. */
  private static final class PoolRun {
    private Stored stored;
    private WaveState state;
    private Instant told = Instant.MIN;
    private Optional<String> refusal = Optional.empty();
  }

  AgentRounds(AgentWorld world, AgentPort port, Clock clock) {
    this.world = world;
    this.port = port;
    this.clock = clock;
    holds = new AgentHolds(port);
    policy = new PolicyKeeper(port);
  }

  /**
   * What holds from now on.
   *
   * @param changed is told names of pools whose report changed, by the rounds' thread
   * @return whether that is new
   */
  boolean plan(AgentPlan plan, Consumer<String> changed) {
    Asked before = asked;
    asked = new Asked(plan, changed);
    return before == null || !before.plan().equals(plan);
  }

  /** What is known of a pool's agents; empty before the first round, and without a plan for it. */
  Optional<WaveReport> report(String pool) {
    return Optional.ofNullable(reports.get(pool));
  }

  /** Why the policy is not in force, or "" if it is as the plan says; empty before it was tried. */
  Optional<String> policyProblem() {
    return policy.problem();
  }

  /** Whether nothing of an earlier plan is left, after the plan that is in force was given. */
  boolean isGivenBack() {
    Asked now = asked;
    return now != null && now.plan().equals(givenBack) && leaving.isEmpty();
  }

  /** A pool is gone: its ledger goes, too. */
  void leave(String pool) {
    leaving.add(pool);
  }

  /** Nobody looks any more; passes find who does it from now on. */
  void end(boolean tells) {
    reports.clear();
    Asked last = asked;
    if (tells && last != null) {
      last.plan().pools().forEach(pool -> last.changed().accept(pool.pool()));
    }
  }

  /** One round; returns after how long the next one is to come, if nothing changes before. */
  Duration round() {
    Asked now = asked;
    Optional<Collection<AgentSet>> seen = world.sets();
    if (now == null || seen.isEmpty()) {
      return AGAIN;
    }
    Map<String, AgentSet> sets =
        seen.get().stream()
            .collect(Collectors.toMap(AgentSet::text, set -> set, (one, _) -> one, TreeMap::new));
    Map<String, List<String>> listed = now.plan().listed();
    Instant instant = clock.instant();
    sets.values().stream()
        .filter(set -> listed.containsKey(set.text()) || !set.told().isEmpty())
        .forEach(set -> holds.ensure(set, listed.getOrDefault(set.text(), List.of()), instant));
    holds.forget(sets, instant);
    boolean isPolicySet = policy.ensure(now.plan().policy(), instant);
    if (isPolicySet) {
      now.plan().policy().ifPresent(each -> each.pools().forEach(now.changed()));
    }
    world.keep(
        sets.values().stream()
            .filter(set -> listed.containsKey(set.text()))
            .map(AgentSet::uid)
            .toList());
    forgetLeft(now.plan());
    Duration wait = IDLE;
    if (!now.plan().pools().isEmpty()) {
      Optional<List<NodeSight>> nodes = world.nodes();
      wait = nodes.isEmpty() ? AGAIN : pools(now, sets, listed, nodes.get());
    }
    boolean isBack =
        policy.problem().filter(String::isEmpty).isPresent()
            && sets.values().stream()
                .allMatch(set -> set.told().isEmpty() || listed.containsKey(set.text()));
    givenBack = isBack ? now.plan() : null;
    return isBack || wait.compareTo(AGAIN) < 0 ? wait : AGAIN;
  }

  private void forgetLeft(AgentPlan plan) {
    Set<String> named =
        plan.pools().stream().map(PoolWaves::pool).collect(Collectors.toCollection(HashSet::new));
    runs.keySet().retainAll(named);
    reports.keySet().retainAll(named);
    for (String pool : Set.copyOf(leaving)) {
      try {
        if (!named.contains(pool)) {
          port.forget(pool);
        }
        leaving.remove(pool);
      } catch (KubernetesClientException e) {
        LOG.debugf("the ledger of pool %s stays for now: %s", pool, e.getMessage());
      }
    }
  }

  private Duration pools(
      Asked now,
      Map<String, AgentSet> sets,
      Map<String, List<String>> listed,
      List<NodeSight> nodes) {
    Map<String, AgentSight> sights = new HashMap<>();
    listed
        .keySet()
        .forEach(text -> sights.put(text, sight(text, Optional.ofNullable(sets.get(text)))));
    Duration wait = IDLE;
    for (PoolWaves pool : now.plan().pools()) {
      Duration next = pool(now, pool, sights, nodes);
      wait = next.compareTo(wait) < 0 ? next : wait;
    }
    return wait;
  }

  private AgentSight sight(String text, Optional<AgentSet> found) {
    int slash = text.indexOf('/');
    NodeAgentRef ref = new NodeAgentRef(text.substring(0, slash), text.substring(slash + 1));
    if (found.isEmpty() || found.get().isLeaving()) {
      return AgentSight.of(ref, AgentSight.State.MISSING);
    }
    AgentSet set = found.get();
    Optional<AgentPods> pods = world.pods(set);
    Optional<String> revision = set.isObserved() ? revision(set) : Optional.empty();
    AgentSight.State state =
        !set.strategy().equals(AgentSet.ON_DELETE) || set.told().isEmpty()
            ? AgentSight.State.NOT_HELD
            : revision.isEmpty() || pods.isEmpty()
                ? AgentSight.State.WAITING
                : AgentSight.State.KNOWN;
    return new AgentSight(
        ref,
        state,
        set.uid(),
        revision.orElse(""),
        set.minReadySeconds(),
        set.findings(),
        set.account(),
        pods.map(AgentPods::byNode).orElse(Map.of()));
  }

  private Optional<String> revision(AgentSet set) {
    Revision known = revisions.get(set.uid());
    if (known != null && known.generation() == set.generation()) {
      return Optional.of(known.hash());
    }
    try {
      Optional<String> hash = port.revision(set);
      hash.ifPresent(found -> revisions.put(set.uid(), new Revision(set.generation(), found)));
      return hash;
    } catch (KubernetesClientException e) {
      LOG.debugf("the revision of DaemonSet %s is not known: %s", set.text(), e.getMessage());
      return Optional.empty();
    }
  }

  /** Of two pools that list an agent, each has its nodes; all other nodes are the first one's. */
  private static List<NodeSight> nodes(
      PoolWaves pool, AgentPlan plan, NodeAgentRef agent, List<NodeSight> all) {
    List<String> listing = plan.listed().get(agent.text());
    boolean isFirst = listing.getFirst().equals(pool.pool());
    return all.stream()
        .filter(
            node -> node.pool().equals(pool.pool()) || isFirst && !listing.contains(node.pool()))
        .toList();
  }

  private Duration pool(
      Asked now, PoolWaves pool, Map<String, AgentSight> sights, List<NodeSight> all) {
    PoolRun run = runs.computeIfAbsent(pool.pool(), _ -> new PoolRun());
    Instant instant = clock.instant();
    try {
      if (run.stored == null) {
        Optional<Stored> found = port.ledger(pool.pool());
        run.stored =
            found
                .or(() -> port.write(pool.pool(), found, WaveLedger.unknown(instant)))
                .orElse(null);
        if (run.stored == null) {
          return AGAIN;
        }
        run.state = WaveState.begin(run.stored.ledger(), instant);
      }
      WavePlanner.Step step = WavePlanner.step(input(now, pool, sights, all, run.state, instant));
      if (!step.state().ledger().equals(run.stored.ledger())) {
        Optional<Stored> written =
            port.write(pool.pool(), Optional.of(run.stored), step.state().ledger());
        // Somebody else wrote: what holds is read again.
        run.stored = written.orElse(null);
        run.state = written.map(_ -> step.state()).orElse(null);
        tell(now, pool.pool(), run, step.report().with(problem(pool, run.refusal)), true);
        return Duration.ZERO;
      }
      run.state = step.state();
      if (!step.deletions().isEmpty() || step.report().wave().isEmpty()) {
        run.refusal = carryOut(step.deletions());
      }
      boolean isTold =
          tell(now, pool.pool(), run, step.report().with(problem(pool, run.refusal)), false);
      return isTold || step.again().compareTo(REPORT_EVERY) < 0 ? step.again() : REPORT_EVERY;
    } catch (KubernetesClientException e) {
      // What was written is not known: nothing is deleted until it was read.
      run.stored = null;
      WaveReport before = reports.get(pool.pool());
      if (before != null && !Refusals.of(e).passes()) {
        tell(now, pool.pool(), run, before.with(Refusals.of(e).text()), false);
      }
      return AGAIN;
    }
  }

  private WavePlanner.Input input(
      Asked now,
      PoolWaves pool,
      Map<String, AgentSight> sights,
      List<NodeSight> all,
      WaveState state,
      Instant instant) {
    Map<String, NodeSight> nodes = new TreeMap<>();
    List<AgentSight> agents = new ArrayList<>();
    for (NodeAgentRef ref : pool.agents()) {
      AgentSight sight = sights.get(ref.text());
      Map<String, List<AgentPod>> pods = new HashMap<>();
      for (NodeSight node : nodes(pool, now.plan(), ref, all)) {
        List<AgentPod> on = sight.on(node.name());
        if (!on.isEmpty()) {
          pods.put(node.name(), on);
        }
        if (!on.isEmpty() || node.pool().equals(pool.pool())) {
          nodes.put(node.name(), node);
        }
      }
      agents.add(
          new AgentSight(
              ref,
              sight.state(),
              sight.uid(),
              sight.revision(),
              sight.minReadySeconds(),
              sight.findings(),
              sight.account(),
              pods));
    }
    return new WavePlanner.Input(
        pool,
        List.copyOf(nodes.values()),
        agents,
        () -> WaveGate.judge(pool.gate(), world.gate(), all, now.plan().closedBy(), instant),
        state,
        instant);
  }

  /** Returns why a deletion was refused. */
  private Optional<String> carryOut(List<WavePlanner.Deletion> deletions) {
    if (deletions.isEmpty()) {
      return Optional.empty();
    }
    AgentPort.Deletions done = port.delete(deletions);
    for (WavePlanner.Deletion each : deletions) {
      if (done.done().containsKey(each.pod().uid())) {
        world.sets().stream()
            .flatMap(Collection::stream)
            .filter(set -> set.uid().equals(each.agent().uid()))
            .flatMap(set -> world.pods(set).stream())
            .forEach(pods -> pods.deleted(each.pod().uid()));
      }
    }
    return done.refusal();
  }

  private String problem(PoolWaves pool, Optional<String> refusal) {
    return pool.agents().stream()
        .flatMap(agent -> holds.problem(agent.text()).stream())
        .findFirst()
        .or(() -> refusal)
        .orElse("");
  }

  /** Returns whether all is told. */
  private boolean tell(Asked now, String pool, PoolRun run, WaveReport report, boolean isUrgent) {
    Instant instant = clock.instant();
    if (report.equals(reports.get(pool))) {
      return true;
    }
    if (!isUrgent && instant.isBefore(run.told.plus(REPORT_EVERY))) {
      return false;
    }
    run.told = instant;
    reports.put(pool, report);
    now.changed().accept(pool);
    return true;
  }
}
