// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.address;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.outcome.ReasonWitness;
import java.util.Collections;
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
    SortedMap<String, Integer> versions) {
  public static final int MOST_FAILURES = 10;

  public NodeCounts {
    failures = List.copyOf(failures);
    conflicts = List.copyOf(conflicts);
    versions = Collections.unmodifiableSortedMap(new TreeMap<>(versions));
  }

  /** Of a pool that no node has joined. */
  public static NodeCounts none() {
    return new NodeCounts(
        0, 0, 0, 0, List.of(), 0, 0, List.of(), new TreeMap<>(Map.<String, Integer>of()));
  }

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
