// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.address;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.names.NodePoolNames;
import io.exaplane.operator.nodepool.address.NodeCounts.Beats;
import io.exaplane.operator.nodepool.address.NodeCounts.Deliveries;
import io.exaplane.operator.nodepool.address.NodeCounts.Failure;
import io.exaplane.operator.nodepool.address.NodeCounts.Silent;
import io.exaplane.operator.nodepool.address.NodeCounts.SilentNode;
import io.exaplane.operator.nodepool.heartbeat.Heartbeats;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Counts the Nodes of each pool, in one walk over all Nodes of a cluster. One thread. */
final class NodeCounter {
  /** A node that joins needs half a minute; images may take the rest. */
  static final Duration JOINING = Duration.ofMinutes(5);

  /** Kubelets write their versions themselves, so that there may be a million. */
  private static final int MOST_VERSIONS = 20;

  /** What only a person can help comes first: ten dead hosts must not hide it. */
  private static final Comparator<Failure> FIRST =
      Comparator.comparing((Failure failure) -> failure.reason() == Reason.NodesNotReady)
          .thenComparing(Failure::node);

  private final SortedMap<String, Tally> pools = new TreeMap<>();
  private final Instant now;
  private boolean someJoin;

  /** Of one pool. */
  private static final class Tally {
    private final boolean bringsPrefixes;
    private final NavigableSet<Failure> failures = new TreeSet<>(FIRST);
    private final NavigableSet<Failure> conflicts =
        new TreeSet<>(Comparator.comparing(Failure::node));
    private final Map<String, Integer> versions = new HashMap<>();
    private final Map<String, Integer> beats = new HashMap<>();
    private final NavigableSet<SilentNode> silent =
        new TreeSet<>(Comparator.comparing(SilentNode::since).thenComparing(SilentNode::name));
    private final FollowerTally followers = new FollowerTally();
    private int registered;
    private int ready;
    private int joining;
    private int failed;
    private int used;
    private int inConflict;
    private int reported;
    private int unreported;
    private int longestLease;
    private int silentNodes;
    private int routed;
    private int onLink;

    Tally(boolean bringsPrefixes) {
      this.bringsPrefixes = bringsPrefixes;
    }

    void fail(Failure failure, boolean isConflict) {
      failed++;
      keep(failures, failure);
      if (isConflict) {
        inConflict++;
        keep(conflicts, failure);
      }
    }

    private static void keep(NavigableSet<Failure> first, Failure failure) {
      first.add(failure);
      if (first.size() > NodeCounts.MOST_FAILURES) {
        first.pollLast();
      }
    }

    void note(NodeFacts node, boolean isYoung) {
      followers.add(node);
      switch (node.delivery()) {
        case "Routed" -> routed++;
        case "OnLink" -> onLink++;
        // Most hosts say nothing, and whoever writes something else is not counted.
        default -> {}
      }
      Optional<Heartbeats> said = Heartbeats.parse(node.heartbeats());
      if (said.isPresent()) {
        reported++;
        beats.merge(said.get().text(), 1, Integer::sum);
        longestLease = Math.max(longestLease, said.get().leaseSeconds());
      } else if (!isYoung) {
        unreported++;
      }
      if (node.isSilent()) {
        silentNodes++;
        silent.add(new SilentNode(node.name(), node.resourceVersion(), node.silentSince()));
        if (silent.size() > NodeCounts.MOST_SILENT) {
          silent.pollLast();
        }
      }
    }

    private static SortedMap<String, Integer> most(Map<String, Integer> all) {
      SortedMap<String, Integer> most = new TreeMap<>();
      all.entrySet().stream()
          .sorted(
              Map.Entry.<String, Integer>comparingByValue()
                  .reversed()
                  .thenComparing(Map.Entry.comparingByKey()))
          .limit(MOST_VERSIONS)
          .forEach(each -> most.put(each.getKey(), each.getValue()));
      return most;
    }

    NodeCounts counts() {
      return new NodeCounts(
          registered,
          ready,
          joining,
          failed,
          List.copyOf(failures),
          used,
          inConflict,
          List.copyOf(conflicts),
          most(versions),
          new Beats(most(beats), reported, unreported, longestLease),
          new Silent(silentNodes, List.copyOf(silent)),
          followers.followers(),
          new Deliveries(routed, onLink));
    }
  }

  NodeCounter(ClusterPlan plan, Instant now) {
    this.now = now;
    plan.pools()
        .forEach(pool -> pools.put(pool.pool(), new Tally(pool.podPrefixLength().isPresent())));
  }

  /**
   * One Node.
   *
   * @param wasReady whether it was Ready once, as far as this operator saw
   * @param unwritten why the API refuses what the Node is to get; empty if it does not
   */
  void add(NodeFacts node, Decision decision, boolean wasReady, Optional<String> unwritten) {
    Tally pool = pools.get(node.pool());
    if (pool == null) {
      return;
    }
    pool.registered++;
    if (!node.kubelet().isEmpty()) {
      pool.versions.merge(node.kubelet(), 1, Integer::sum);
    }
    if (decision.state() == Decision.State.SET) {
      pool.used++;
    }
    boolean isYoung = now.isBefore(joiningEnds(node));
    pool.note(node, isYoung);
    // A young one that said nothing is told of when it is no longer young.
    someJoin |= isYoung && node.heartbeats().isEmpty();
    Optional<Failure> prefix = prefixFailure(pool, node, decision, isYoung, unwritten);
    if (prefix.isPresent()) {
      pool.fail(prefix.get(), decision.isRefused());
    } else if (node.ready() && (!pool.bringsPrefixes || !node.podCidrs().isEmpty())) {
      pool.ready++;
    } else if (isYoung && (node.ready() || !wasReady)) {
      pool.joining++;
      someJoin = true;
    } else {
      pool.fail(notReady(node), false);
    }
  }

  private static Instant joiningEnds(NodeFacts node) {
    return node.created().equals(Instant.MAX) ? Instant.MAX : node.created().plus(JOINING);
  }

  private static Optional<Failure> prefixFailure(
      Tally pool, NodeFacts node, Decision decision, boolean isYoung, Optional<String> unwritten) {
    if (decision.isRefused()) {
      return Optional.of(new Failure(node.name(), decision.reason().get(), decision.message()));
    }
    if (unwritten.isPresent()) {
      return Optional.of(new Failure(node.name(), Reason.WriteRefused, unwritten.get()));
    }
    return pool.bringsPrefixes && decision.state() == Decision.State.WAITING && !isYoung
        ? Optional.of(
            new Failure(
                node.name(),
                Reason.PrefixMissing,
                "annotation %s does not exist; join the host again with 'join.sh --prefix'."
                    .formatted(NodePoolNames.POD_PREFIX)))
        : Optional.empty();
  }

  private static Failure notReady(NodeFacts node) {
    String words = PrefixRequest.plain(node.notReady());
    return new Failure(
        node.name(),
        Reason.NodesNotReady,
        (words.isEmpty() ? "The Node has no condition Ready" : "The Node is not Ready: " + words)
            + "; check the kubelet on its host with 'journalctl -u kubelet'.");
  }

  /** Whether the same Nodes give other counts later. */
  boolean changesByItself() {
    return someJoin;
  }

  /** By pool, of all pools of the plan. */
  Map<String, NodeCounts> counts() {
    Map<String, NodeCounts> counts = new HashMap<>();
    pools.forEach((pool, tally) -> counts.put(pool, tally.counts()));
    return Map.copyOf(counts);
  }
}
