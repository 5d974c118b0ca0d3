// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.addr;

import java.util.List;
import java.util.Optional;

/**
 * What a network at one provider carries. Immutable.
 *
 * @param provider of the network
 * @param wanted nodes that are planned; empty if only the capacity is asked
 * @param prefixes of the network, as text; lengths only if nobody named them
 * @param assumed whether nobody named the prefixes
 * @param subnetLength of each subnet; empty if there are no subnets
 * @param nodeLength of the prefix that a node gets; 128 if it gets none
 * @param podLength of the prefix for the pods of a node
 * @param podAddresses in that prefix
 * @param podsPerNode as many as addresses and kubelet allow
 * @param firstNode the first prefix for a node; empty if nobody named the prefixes
 * @param lastNode the last prefix for a node; empty if nobody named the prefixes
 * @param delivery how packets for pods reach the node: routed, on-link, your-routes or unknown
 * @param limits in their order
 */
public record PartPlan(
    Provider provider,
    Optional<Long> wanted,
    List<String> prefixes,
    boolean assumed,
    Optional<Integer> subnetLength,
    int nodeLength,
    int podLength,
    UInt128 podAddresses,
    long podsPerNode,
    Optional<String> firstNode,
    Optional<String> lastNode,
    String delivery,
    List<Limit> limits) {
  /** host-local gives pods neither the first address of a prefix nor the gateway's, the second. */
  static final int NOT_FOR_PODS = 2;

  static PartPlan of(Part part, ClusterNetwork cluster) {
    boolean prefix = Part.routed(cluster) || part.nodeLength() < UInt128.BITS;
    UInt128 addresses =
        prefix
            ? UInt128.powerOfTwo(UInt128.BITS - part.podLength()).minus(UInt128.of(NOT_FOR_PODS))
            : UInt128.ZERO;
    int taken = part.takenLength(cluster);
    List<Ipv6Prefix> named = part.assumed() ? List.of() : part.prefixes();
    return new PartPlan(
        part.provider(),
        part.nodes(),
        part.prefixes().stream()
            .map(each -> part.assumed() ? "/" + each.length() : each.toString())
            .toList(),
        part.assumed(),
        part.subnetLength(),
        taken,
        part.podLength(),
        addresses,
        addresses.min(UInt128.of(cluster.maxPods())).low(),
        named.stream().findFirst().flatMap(each -> firstOf(each, part.provider(), taken)),
        named.stream()
            .reduce((one, other) -> other)
            .flatMap(each -> lastOf(each, part.provider(), taken)),
        Part.routed(cluster) ? "your-routes" : part.provider().delivery(),
        Limits.of(part, cluster));
  }

  /** The first that the provider does not keep, if there is one. */
  private static Optional<String> firstOf(Ipv6Prefix prefix, Provider provider, int taken) {
    UInt128 index = Limits.touched(provider.reservedFirst(), taken);
    return index.compareTo(prefix.parts(taken)) < 0
        ? Optional.of(prefix.part(taken, index).toString())
        : Optional.empty();
  }

  /** The last that the provider does not keep, if there is one. */
  private static Optional<String> lastOf(Ipv6Prefix prefix, Provider provider, int taken) {
    UInt128 behind = prefix.parts(taken).minus(Limits.touched(provider.reservedLast(), taken));
    return behind.equals(UInt128.ZERO)
        ? Optional.empty()
        : Optional.of(prefix.part(taken, behind.minus(UInt128.of(1))).toString());
  }

  /** What runs out first; empty if nothing is known. */
  public Optional<Limit> first() {
    return Limit.first(limits);
  }

  /** Nodes that the network carries; empty if nothing is known. */
  public Optional<UInt128> nodes() {
    return first().flatMap(Limit::nodes);
  }

  /** Pods that the network carries; empty if nothing is known. */
  public Optional<UInt128> pods() {
    return podsPerNode == 0 ? Optional.of(UInt128.ZERO) : nodes().map(this::podsOn);
  }

  /** The longest prefix for pods that has so many addresses. */
  static int lengthFor(long pods) {
    return Long.numberOfLeadingZeros(pods + NOT_FOR_PODS - 1) + UInt128.BITS - Long.SIZE;
  }

  /** Pods on so many nodes. */
  public UInt128 podsOn(UInt128 nodes) {
    return nodes.times(podsPerNode);
  }
}
