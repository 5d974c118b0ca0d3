// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.address;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.outcome.ReasonWitness;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is known of a pool's nodes, of one moment. Immutable; equal counts write no status.
 *
 * @param registered Nodes with the label of the pool
 * @param ready those that are Ready, and have what they need of the operator
 * @param joining those that were created less than {@code JOINING} ago and were never Ready
 * @param failed all others
 * @param failures at most {@link #MOST_FAILURES} of these: those without a prefix first, then by
 *     name
 * @param prefixesUsed Nodes whose prefix stands in spec.podCIDRs
 * @param prefixesInConflict Nodes whose prefix is refused or moved
 * @param conflicts the first of these by name, at most {@link #MOST_FAILURES}; they are failed, too
 * @param versions of kubelets, as 1.37.2, with the number of Nodes of each
 * @param heartbeats what the Nodes said that their kubelets have
 * @param silent Nodes of which the node controller knows nothing
 * @param followers which CAs the Nodes said that they follow
 * @param deliveries how prefixes come to the hosts, as these said
 */
public record NodeCounts(
    int registered,
    int ready,
    int joining,
    int failed,
    List<Failure> failures,
    int prefixesUsed,
    int prefixesInConflict,
    List<Failure> conflicts,
    SortedMap<String, Integer> versions,
    Beats heartbeats,
    Silent silent,
    Followers followers,
    Deliveries deliveries) {
  public static final int MOST_FAILURES = 10;

  /** Silent Nodes that are told by name, those that are silent for longest. */
  public static final int MOST_SILENT = 10;

  public NodeCounts {
    failures = List.copyOf(failures);
    conflicts = List.copyOf(conflicts);
    versions = Collections.unmodifiableSortedMap(new TreeMap<>(versions));
  }

  /** One of which no Node is silent, and none said anything of heartbeats. */
  public NodeCounts(
      int registered,
      int ready,
      int joining,
      int failed,
      List<Failure> failures,
      int prefixesUsed,
      int prefixesInConflict,
      List<Failure> conflicts,
      SortedMap<String, Integer> versions) {
    this(
        registered,
        ready,
        joining,
        failed,
        failures,
        prefixesUsed,
        prefixesInConflict,
        conflicts,
        versions,
        new Beats(new TreeMap<>(), 0, registered - joining, 0),
        Silent.NONE,
        new Followers(new TreeMap<>()),
        Deliveries.NONE);
  }

  /** Of a pool that no node has joined. */
  public static NodeCounts none() {
    return new NodeCounts(
        0, 0, 0, 0, List.of(), 0, 0, List.of(), new TreeMap<>(Map.<String, Integer>of()));
  }

  /** The same with these silent Nodes. */
  public NodeCounts with(Silent others) {
    return new NodeCounts(
        registered,
        ready,
        joining,
        failed,
        failures,
        prefixesUsed,
        prefixesInConflict,
        conflicts,
        versions,
        heartbeats,
        others,
        followers,
        deliveries);
  }

  /** The same with these heartbeats. */
  public NodeCounts with(Beats others) {
    return new NodeCounts(
        registered,
        ready,
        joining,
        failed,
        failures,
        prefixesUsed,
        prefixesInConflict,
        conflicts,
        versions,
        others,
        silent,
        followers,
        deliveries);
  }

  /** The same with these CAs. */
  public NodeCounts with(Followers others) {
    return new NodeCounts(
        registered,
        ready,
        joining,
        failed,
        failures,
        prefixesUsed,
        prefixesInConflict,
        conflicts,
        versions,
        heartbeats,
        silent,
        others,
        deliveries);
  }

  /** The same with these words of hosts. */
  public NodeCounts with(Deliveries others) {
    return new NodeCounts(
        registered,
        ready,
        joining,
        failed,
        failures,
        prefixesUsed,
        prefixesInConflict,
        conflicts,
        versions,
        heartbeats,
        silent,
        followers,
        others);
  }

  /**
   * Nodes whose hosts found out how packets for their prefix come to them.
   *
   * @param routed by a route
   * @param onLink by solicitations for each address
   */
  public record Deliveries(int routed, int onLink) {
    /** No host said anything. */
    public static final Deliveries NONE = new Deliveries(0, 0);

    /** Whether a host said something. */
    public boolean isKnown() {
      return routed + onLink > 0;
    }
  }

  /**
   * Which CAs Nodes said that they follow. Hosts write that, so it may be anything.
   *
   * @param groups by short names of CAs, the most frequent ones; "" is that of Nodes that said none
   */
  public record Followers(SortedMap<String, Group> groups) {
    public Followers {
      groups = Collections.unmodifiableSortedMap(new TreeMap<>(groups));
    }

    /** How many follow these CAs. */
    public int of(String id) {
      return groups.containsKey(id) ? groups.get(id).number() : 0;
    }

    /** The first Nodes by name that do not follow these CAs, at most {@link #MOST_FAILURES}. */
    public List<Late> late(String id) {
      return groups.entrySet().stream()
          .filter(group -> !group.getKey().equals(id))
          .flatMap(group -> group.getValue().first().stream())
          .sorted(Comparator.comparing(Late::node))
          .limit(MOST_FAILURES)
          .toList();
    }
  }

  /**
   * Nodes that said the same.
   *
   * @param first by name, at most {@link #MOST_FAILURES}
   */
  public record Group(int number, List<Late> first) {
    public Group {
      first = List.copyOf(first);
    }
  }

  /**
   * A Node by name.
   *
   * @param said whether its host ever said which CAs it follows
   * @param words of its host about an obstacle; "" for none
   */
  public record Late(String node, boolean said, String words) {}

  /**
   * What Nodes said that their kubelets have. Hosts write that, so it may be anything.
   *
   * @param nodes the most frequent texts, and the number of Nodes of each
   * @param reported Nodes that said something that one can read
   * @param unreported Nodes that did not, and are not just joining
   * @param longestLease seconds that somebody said; 0 if nobody did
   */
  public record Beats(
      SortedMap<String, Integer> nodes, int reported, int unreported, int longestLease) {
    public Beats {
      nodes = Collections.unmodifiableSortedMap(new TreeMap<>(nodes));
    }
  }

  /**
   * Nodes of which the node controller knows nothing.
   *
   * @param first those that are silent for longest, at most {@link #MOST_SILENT}
   */
  public record Silent(int number, List<SilentNode> first) {
    static final Silent NONE = new Silent(0, List.of());

    public Silent {
      first = List.copyOf(first);
    }
  }

  /** A Node that is silent; the version is that of which this was seen. */
  public record SilentNode(String name, String resourceVersion, Instant since) {}

  /**
   * A node that needs somebody.
   *
   * @param message what it means, and the next action
   */
  public record Failure(String node, Reason reason, String message) {
    public Failure {
      assert ReasonWitness.made(reason);
    }
  }
}
