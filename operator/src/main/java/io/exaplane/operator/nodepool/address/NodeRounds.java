// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.address;

import io.exaplane.operator.nodepool.address.NodeWriter.Outcome;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * What is done with the Nodes of one cluster, round by round: read what changed, decide, write,
 * count. Nothing is decided before all Nodes were listed, so that no prefix is given that somebody
 * has. The book is rebuilt from the Nodes alone. One thread calls {@link #round}; any thread may
 * give a plan and read counts.
 */
final class NodeRounds {
  private static final Logger LOG = Logger.getLogger(NodeRounds.class);

  /** Then the next round reads what changed meanwhile; what was released may be given. */
  private static final int WRITES_A_ROUND = 100;

  /** A status is not written more often. */
  static final Duration COUNT_EVERY = Duration.ofSeconds(2);

  private static final Duration UNREACHED_LEAST = Duration.ofSeconds(1);
  private static final Duration UNREACHED_MOST = Duration.ofMinutes(1);
  private static final Duration IDLE = Duration.ofSeconds(30);

  private final PrefixBook book = new PrefixBook();
  private final WritePace pace = new WritePace();
  private final Set<String> open = new LinkedHashSet<>();
  private final Set<String> wereReady = new HashSet<>();
  private final Map<String, String> refusedByApi = new HashMap<>();
  private final NodeItems items;
  private final NodeWriter writer;
  private final String cluster;
  private final Clock clock;
  private volatile Asked asked;
  private volatile Map<String, NodeCounts> counts = Map.of();

  /** UIDs of Nodes that may move to another prefix, by pool, as of the last count. */
  private volatile Map<String, Set<String>> moving = Map.of();

  private ClusterPlan planned;
  private Instant reachedAgain = Instant.MIN;
  private Duration unreached = Duration.ZERO;
  private Instant nextCount = Instant.MIN;
  private boolean isCounted;
  private boolean someJoin;

  /** What passes ask for. */
  private record Asked(ClusterPlan plan, Consumer<String> changed) {}

  /** {@code cluster} is for logs. */
  NodeRounds(NodeItems items, NodeWriter writer, String cluster, Clock clock) {
    this.items = items;
    this.writer = writer;
    this.cluster = cluster;
    this.clock = clock;
  }

  /**
   * What holds from now on.
   *
   * @param changed is told names of pools whose counts changed, or of which others may move, by the
   *     rounds' thread
   * @return whether that is new
   */
  boolean plan(ClusterPlan plan, Consumer<String> changed) {
    Asked before = asked;
    asked = new Asked(plan, changed);
    return before == null || !before.plan().equals(plan);
  }

  /** Counts of a pool; empty until all Nodes were read, and without a plan for the pool. */
  Optional<NodeCounts> counts(String pool) {
    return Optional.ofNullable(counts.get(pool));
  }

  /** Whether another Node instead of this one would get the prefix that its host has now. */
  boolean moves(NodeTurn node) {
    return moving.values().stream().anyMatch(uids -> uids.contains(node.uid()));
  }

  /**
   * Nobody follows the Nodes any more.
   *
   * @param tells whether passes are to come at once, and to find who does it from now on
   */
  void end(boolean tells) {
    counts = Map.of();
    moving = Map.of();
    Asked last = asked;
    if (tells && last != null) {
      last.plan().pools().forEach(pool -> last.changed().accept(pool.pool()));
    }
  }

  /**
   * One round.
   *
   * @param isListed whether all Nodes were listed
   * @return after how long the next one is to come, if nothing changes before
   */
  Duration round(boolean isListed) {
    Asked now = asked;
    if (!isListed || now == null) {
      return IDLE;
    }
    Set<String> changed = read();
    if (!now.plan().equals(planned)) {
      planned = now.plan();
      book.plan(planned);
      isCounted = false;
    }
    List<String> decided = book.decide();
    isCounted &= decided.isEmpty();
    // Those who wait for longest come first.
    open.addAll(decided);
    changed.stream().filter(name -> book.facts(name).isPresent()).forEach(open::add);
    Instant next = write();
    count(now);
    Instant end = clock.instant();
    next = !isCounted && nextCount.isBefore(next) ? nextCount : next;
    Duration wait = Duration.between(end, next);
    return wait.isNegative() ? Duration.ZERO : wait.compareTo(IDLE) < 0 ? wait : IDLE;
  }

  /** Returns who changed. */
  private Set<String> read() {
    Set<String> names = items.takeChanges();
    for (String name : names) {
      Optional<NodeFacts> before = book.facts(name);
      Optional<NodeFacts> found = items.find(name);
      isCounted &= found.isPresent() && before.filter(found.get()::looksAs).isPresent();
      if (found.isEmpty()
          || before.filter(one -> !one.uid().equals(found.get().uid())).isPresent()) {
        wereReady.remove(name);
        refusedByApi.remove(name);
      }
      if (found.isEmpty()) {
        book.forget(name);
        open.remove(name);
        continue;
      }
      if (found.get().ready()) {
        wereReady.add(name);
      }
      book.observe(found.get());
      pace.seen(name);
    }
    return names;
  }

  /** Writes what is due; returns when there is something to write again. */
  private Instant write() {
    Instant now = clock.instant();
    if (now.isBefore(reachedAgain)) {
      return reachedAgain;
    }
    Instant next = Instant.MAX;
    int writes = 0;
    for (String name : List.copyOf(open)) {
      Optional<NodeWrite> write =
          book.facts(name).flatMap(node -> NodeWrite.of(node, book.decision(name)));
      if (write.isEmpty()) {
        open.remove(name);
        isCounted &= refusedByApi.remove(name) == null;
        continue;
      }
      Optional<Instant> later = pace.next(name, now);
      if (later.isPresent()) {
        next = later.get().isBefore(next) ? later.get() : next;
        continue;
      }
      if (++writes > WRITES_A_ROUND) {
        return now;
      }
      Instant again = carryOut(write.get());
      if (now.isBefore(reachedAgain)) {
        return reachedAgain;
      }
      next = again.isBefore(next) ? again : next;
    }
    return next;
  }

  /** One write; returns when the Node is to be looked at again. */
  private Instant carryOut(NodeWrite write) {
    String name = write.node().name();
    Outcome outcome = writer.write(write);
    Instant now = clock.instant();
    if (outcome.result() != NodeWriter.Result.NOT_REACHED) {
      unreached = Duration.ZERO;
    }
    switch (outcome.result()) {
      case DONE -> {
        tell(write);
        pace.done(name, now);
        open.remove(name);
        isCounted &= refusedByApi.remove(name) == null;
        return Instant.MAX;
      }
      case GONE -> {
        open.remove(name);
        return Instant.MAX;
      }
      case CHANGED -> pace.conflict(name, now);
      case REFUSED -> {
        pace.pause(name, now, WritePace.REFUSED);
        if (!outcome.message().equals(refusedByApi.put(name, outcome.message()))) {
          isCounted = false;
          LOG.warnf("Node %s at %s is not changed: %s", name, cluster, outcome.message());
        }
      }
      case NOT_REACHED -> {
        if (unreached.isZero()) {
          LOG.infof("Nodes at %s are not changed for now: %s", cluster, outcome.message());
        }
        unreached =
            unreached.isZero()
                ? UNREACHED_LEAST
                : Stream.of(unreached.multipliedBy(2), UNREACHED_MOST)
                    .min(Duration::compareTo)
                    .orElseThrow();
        reachedAgain = now.plus(unreached);
      }
    }
    return pace.next(name, now).orElse(now);
  }

  private void tell(NodeWrite write) {
    String name = write.node().name();
    write
        .prefix()
        .ifPresent(prefix -> LOG.infof("Node %s at %s has prefix %s", name, cluster, prefix));
    write
        .refused()
        .filter(text -> !text.isEmpty())
        .ifPresent(text -> LOG.warnf("Node %s at %s: %s", name, cluster, text));
  }

  private void count(Asked now) {
    Instant instant = clock.instant();
    if (isCounted && !someJoin || instant.isBefore(nextCount)) {
      return;
    }
    NodeCounter counter = new NodeCounter(planned, instant);
    Map<String, Set<String>> moved = new HashMap<>();
    for (NodeFacts node : book.nodes()) {
      if (book.mayMove(node.name())) {
        moved.computeIfAbsent(node.pool(), _ -> new HashSet<>()).add(node.uid());
      }
      counter.add(
          node,
          book.decision(node.name()),
          wereReady.contains(node.name()),
          Optional.ofNullable(refusedByApi.get(node.name())));
    }
    Map<String, NodeCounts> before = counts;
    Map<String, Set<String>> movedBefore = moving;
    moving = Map.copyOf(moved);
    counts = counter.counts();
    isCounted = true;
    someJoin = counter.changesByItself();
    nextCount = instant.plus(COUNT_EVERY);
    pace.forgetCalm(instant);
    List<String> told = new ArrayList<>();
    counts.forEach(
        (pool, found) -> {
          if (!found.equals(before.get(pool))
              || !moved
                  .getOrDefault(pool, Set.of())
                  .equals(movedBefore.getOrDefault(pool, Set.of()))) {
            told.add(pool);
          }
        });
    told.forEach(now.changed());
  }
}
