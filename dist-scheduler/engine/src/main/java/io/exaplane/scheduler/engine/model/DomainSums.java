// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A {@link PodCounter} summed over the nodes of each domain of a {@link Topology}, kept up to date
 * while the nodes stay as they are; nodes {@link Elsewhere} are added as they are told. It knows
 * the smallest sum of all domains, in constant time on average, but for a look at those domains
 * that are shared with nodes elsewhere.
 */
public final class DomainSums {
  private final SumKey key;
  private final PodCounter counter;
  private final Topology topology;
  private final Consumer<DomainSums> unused;
  private final long topologyVersion;
  private final BitSet eligible;
  private final int missing;

  /** The domains that have eligible nodes here and may have some elsewhere. */
  private final int[] shared;

  private final int[] sharedNodes;

  private final BitSet isShared = new BitSet();

  /** By sum, how many of the other domains have it; null if nobody asks for the smallest. */
  private final Histogram own;

  private int holders;
  private int[] sums;
  private int[] othersNodes = {};
  private PartialSums others = PartialSums.NONE;
  private int ownDomains;
  private int othersAlone;
  private int min;
  private long total;

  /**
   * Which sums.
   *
   * @param pods what is counted
   * @param topology by what
   * @param whichNodes equal where the same nodes are eligible; null if all are
   * @param eligible finds the nodes that count; null if all do
   * @param withMin whether {@link #min} will be asked for
   * @param missing the domain of nodes without the key, or {@link Topology#NONE}
   */
  public record Of(
      PodCounter pods,
      Topology topology,
      Object whichNodes,
      Supplier<BitSet> eligible,
      boolean withMin,
      int missing) {
    /** Of all nodes that have the key. */
    public static Of all(PodCounter pods, Topology topology) {
      return new Of(pods, topology, null, null, false, Topology.NONE);
    }

    SumKey key() {
      return new SumKey(
          pods.matcher(), topology.key(), whichNodes, missing != Topology.NONE, withMin);
    }
  }

  /** Sums from now on until it is closed by all that hold it; nobody does yet. */
  DomainSums(Of of, Cluster cluster, Consumer<DomainSums> unused) {
    this.unused = unused;
    counter = of.pods();
    topology = of.topology();
    eligible = of.eligible() == null ? null : of.eligible().get();
    missing = of.missing();
    key = of.key();
    topologyVersion = topology.version();
    sums = new int[Math.max(1, topology.size())];
    int[] nodesOf = new int[sums.length];
    for (int node = 0; node < cluster.nodes().size(); node++) {
      int domain = domain(node);
      if (domain != Topology.NONE && (eligible == null || eligible.get(node))) {
        nodesOf[domain]++;
        sums[domain] += counter.on(node);
        total += counter.on(node);
      }
    }
    own = of.withMin() ? new Histogram() : null;
    shared = cluster.elsewhere().isAnywhere() ? findShared(nodesOf) : new int[0];
    sharedNodes = Arrays.stream(shared).map(domain -> nodesOf[domain]).toArray();
    for (int domain = 0; domain < nodesOf.length; domain++) {
      if (nodesOf[domain] > 0 && !isShared.get(domain)) {
        ownDomains++;
        if (own != null) {
          own.add(sums[domain]);
        }
      }
    }
    settle();
    counter.attach(this);
    counter.hold();
  }

  private int[] findShared(int[] nodesOf) {
    int[] found = new int[nodesOf.length];
    int count = 0;
    for (int domain = 0; domain < nodesOf.length; domain++) {
      if (nodesOf[domain] > 0 && topology.isShared(domain)) {
        found[count++] = domain;
        isShared.set(domain);
      }
    }
    return Arrays.copyOf(found, count);
  }

  DomainSums hold() {
    holders++;
    return this;
  }

  /** Whether its nodes are what they were. */
  boolean isCurrent() {
    return topologyVersion == topology.version();
  }

  /** Whoever asked the cluster for it does not need it any more. */
  public void close() {
    if (--holders == 0) {
      counter.detach(this);
      counter.release();
      unused.accept(this);
    }
  }

  /** What they are sums of. */
  public SumKey key() {
    return key;
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
    return ownDomains + shared.length + othersAlone + others.domains();
  }

  /** The smallest sum of a domain with eligible nodes; 0 if there is none. */
  public int min() {
    return domains() == 0 ? 0 : min;
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
    if (!isCurrent()) {
      return;
    }
    int domain = domain(node);
    if (domain == Topology.NONE || (eligible != null && !eligible.get(node))) {
      return;
    }
    total += delta;
    int before = sums[domain];
    sums[domain] = before + delta;
    if (own != null) {
      if (!isShared.get(domain)) {
        own.move(before, before + delta);
      }
      settle();
    }
  }

  private int domain(int node) {
    int domain = topology.domain(node);
    return domain == Topology.NONE ? missing : domain;
  }

  private void settle() {
    if (own == null) {
      return;
    }
    min = Math.min(own.min(), others.min());
    for (int domain : shared) {
      min = Math.min(min, sums[domain]);
    }
    for (int domain = 0; domain < othersNodes.length; domain++) {
      if (othersNodes[domain] > 0) {
        min = Math.min(min, sums[domain]);
      }
    }
  }

  /** What the nodes that are here add. */
  public PartialSums part() {
    Map<String, PartialSums.Domain> byValue = new TreeMap<>();
    for (int i = 0; i < shared.length; i++) {
      String value = topology.value(shared[i]);
      PartialSums.Domain told = others.shared().get(value);
      int here = sums[shared[i]] - (told == null ? 0 : told.pods());
      byValue.put(value, new PartialSums.Domain(sharedNodes[i], here));
    }
    int ownMin = own == null ? Integer.MAX_VALUE : own.min();
    return new PartialSums(byValue, ownDomains, ownMin, total - others.total());
  }

  /** Takes what nodes elsewhere add, in place of what was told before. */
  void takeOthers(PartialSums now) {
    if (now.equals(others)) {
      return;
    }
    others.shared().forEach((value, domain) -> addOthers(value, -domain.nodes(), -domain.pods()));
    now.shared().forEach((value, domain) -> addOthers(value, domain.nodes(), domain.pods()));
    total += now.total() - others.total();
    others = now;
    othersAlone = 0;
    for (int domain = 0; domain < othersNodes.length; domain++) {
      othersAlone += othersNodes[domain] > 0 && !isShared.get(domain) ? 1 : 0;
    }
    settle();
  }

  private void addOthers(String value, int nodes, int pods) {
    int domain = topology.domainOf(value);
    if (domain >= sums.length) {
      sums = Arrays.copyOf(sums, domain + 1);
    }
    if (domain >= othersNodes.length) {
      othersNodes = Arrays.copyOf(othersNodes, domain + 1);
    }
    othersNodes[domain] += nodes;
    sums[domain] += pods;
  }
}
