// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.model;

import java.util.Arrays;
import java.util.BitSet;

/**
 * A {@link PodCounter} summed over the nodes of each domain of a {@link Topology}, kept up to date
 * while the nodes stay as they are. It knows the smallest sum of all domains, in constant time on
 * average.
 */
public final class DomainSums {
  /**
   * Sums fall below zero while somebody tries what it would bring to remove pods that do not count;
   * a node has no more pods than this.
   */
  private static final int LOWEST = -4096;

  private final PodCounter counter;
  private final Topology topology;
  private final long topologyVersion;
  private final BitSet eligible;
  private final int missing;
  private final int[] sums;

  /**
   * By sum above {@link #LOWEST}, how many domains have it; null if nobody asks for the smallest.
   */
  private int[] domainsWith;

  private int domains;
  private int min;
  private long total;

  /**
   * Sums from now on until {@link #close}.
   *
   * @param eligible the nodes that count, or null for all
   * @param nodes how many nodes there are
   * @param withMin whether {@link #min} will be asked for
   * @param missing the domain of nodes without the key, or {@link Topology#NONE}
   */
  public DomainSums(
      PodCounter counter,
      Topology topology,
      BitSet eligible,
      int nodes,
      boolean withMin,
      int missing) {
    this.counter = counter;
    this.topology = topology;
    this.eligible = eligible;
    this.missing = missing;
    topologyVersion = topology.version();
    sums = new int[Math.max(1, topology.size())];
    int[] nodesOf = new int[sums.length];
    for (int node = 0; node < nodes; node++) {
      int domain = domain(node);
      if (domain != Topology.NONE && (eligible == null || eligible.get(node))) {
        nodesOf[domain]++;
        sums[domain] += counter.on(node);
        total += counter.on(node);
      }
    }
    domainsWith = withMin ? new int[64 - LOWEST] : null;
    for (int domain = 0; domain < sums.length; domain++) {
      if (nodesOf[domain] > 0) {
        domains++;
        if (withMin) {
          count(sums[domain], 1);
        }
      }
    }
    settleMin();
    counter.attach(this);
    counter.hold();
  }

  public void close() {
    counter.detach(this);
    counter.release();
  }

  public Topology topology() {
    return topology;
  }

  /** The sum of a domain; 0 for one without eligible nodes. */
  public int of(int domain) {
    return domain < sums.length ? sums[domain] : 0;
  }

  /** How many domains have eligible nodes. */
  public int domains() {
    return domains;
  }

  /** The smallest sum of a domain with eligible nodes; 0 if there is none. */
  public int min() {
    return domains == 0 ? 0 : min;
  }

  /** The sum over all domains. */
  public long total() {
    return total;
  }

  /** Counts pods that the counter leaves out. */
  public void adjust(int node, int delta) {
    changed(node, delta);
  }

  /** Sums of nodes that are other ones now are worth nothing, and are not kept up any more. */
  void changed(int node, int delta) {
    if (topologyVersion != topology.version()) {
      return;
    }
    int domain = domain(node);
    if (domain == Topology.NONE || (eligible != null && !eligible.get(node))) {
      return;
    }
    total += delta;
    int before = sums[domain];
    sums[domain] = before + delta;
    if (domainsWith != null) {
      count(before, -1);
      count(before + delta, 1);
      min = Math.min(min, before + delta);
      settleMin();
    }
  }

  private int domain(int node) {
    int domain = topology.domain(node);
    return domain == Topology.NONE ? missing : domain;
  }

  private void count(int sum, int delta) {
    int slot = sum - LOWEST;
    if (slot >= domainsWith.length) {
      domainsWith = Arrays.copyOf(domainsWith, Math.max(slot + 1, domainsWith.length * 2));
    }
    domainsWith[slot] += delta;
  }

  private void settleMin() {
    if (domainsWith != null && domains > 0) {
      while (domainsWith[min - LOWEST] == 0) {
        min++;
      }
    }
  }
}
