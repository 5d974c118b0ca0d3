// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.addr;

import io.exaplane.tuning.model.Numbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What runs out at one provider. */
final class Limits {
  private final Part part;
  private final boolean routed;
  private final int taken;

  private Limits(Part part, ClusterNetwork cluster) {
    this.part = part;
    routed = Part.routed(cluster);
    taken = part.takenLength(cluster);
  }

  /** All limits of a part, in their order. */
  static List<Limit> of(Part part, ClusterNetwork cluster) {
    Limits limits = new Limits(part, cluster);
    List<Limit> all = new ArrayList<>();
    if (!limits.routed && part.nodeLength() == UInt128.BITS) {
      all.add(limits.noPodPrefix());
    }
    if (!part.prefixes().isEmpty()) {
      all.add(limits.addresses());
    }
    part.quotas().stream().map(limits::quota).flatMap(Optional::stream).forEach(all::add);
    all.sort(Limit.ORDER);
    return List.copyOf(all);
  }

  private Limit noPodPrefix() {
    return new Limit(
        "pod-prefix",
        Limit.Kind.ADDRESSES,
        Optional.of(UInt128.ZERO),
        Optional.empty(),
        "a node has single addresses, and no prefix for pods",
        "divide your range with --cluster-cidr, or set --node-prefix-length to the length "
            + "of a prefix that you route to each node",
        part.provider().source(),
        part.provider().date());
  }

  private Limit addresses() {
    UInt128 sum = part.prefixes().stream().map(this::nodes).reduce(UInt128.ZERO, UInt128::plus);
    Ipv6Prefix largest = largest();
    int subnet = subnetLength(largest);
    String how =
        (taken == UInt128.BITS
                ? "addresses for nodes"
                : "prefixes of /%d for nodes".formatted(taken))
            + (subnet == largest.length() ? "" : " in subnets of /" + subnet);
    return new Limit(
        "node-addresses",
        Limit.Kind.ADDRESSES,
        Optional.of(sum),
        Optional.empty(),
        how,
        part.provider().network() == null
            ? "add a prefix with --prefixes"
            : "add a prefix to the network, or get a larger one",
        part.provider().source(),
        part.provider().date());
  }

  private Optional<Limit> quota(Quota quota) {
    if (quota.applies() == Quota.Applies.ROUTES && !routed) {
      return Optional.empty();
    }
    if (part.prefixes().isEmpty()
        && (quota.applies() == Quota.Applies.SUBNETS
            || quota.applies() == Quota.Applies.NETWORKS)) {
      return Optional.empty();
    }
    return Optional.of(
        new Limit(
            quota.name(),
            Limit.Kind.QUOTA,
            quota.value() == null ? Optional.empty() : Optional.of(carried(quota)),
            Optional.of(quota),
            how(quota),
            quota.next(),
            quota.source(),
            quota.date()));
  }

  private UInt128 carried(Quota quota) {
    return switch (quota.applies()) {
      case NODES, ROUTES -> UInt128.of(units(quota));
      case SUBNETS -> nodesOfSubnet(largest()).times(units(quota));
      case NETWORKS -> {
        List<UInt128> blocks =
            part.prefixes().stream()
                .map(this::nodes)
                .sorted(Comparator.reverseOrder())
                .limit(units(quota))
                .toList();
        UInt128 sum = blocks.stream().reduce(UInt128.ZERO, UInt128::plus);
        yield sum.plus(nodes(largest()).times(units(quota) - blocks.size()));
      }
    };
  }

  /** For how many nodes, subnets or blocks there is enough. */
  private long units(Quota quota) {
    return quota.left() / quota.perNode(routed);
  }

  private String how(Quota quota) {
    if (quota.value() == null) {
      return "the provider does not publish the number";
    }
    String left =
        Numbers.text(quota.value())
            + (quota.most() == null
                ? ""
                : " (up to %s on request)".formatted(Numbers.text(quota.most())))
            + (quota.used() == 0 ? "" : " less " + Numbers.text(quota.used()) + " in use");
    long each = quota.perNode(routed);
    return switch (quota.applies()) {
      case NODES, ROUTES -> left + ", " + Numbers.text(each) + " for each node";
      case SUBNETS -> left + of(each, "subnet") + nodesOfSubnet(largest()).text() + " nodes";
      case NETWORKS -> left + of(each, "block") + nodes(largest()).text() + " nodes";
    };
  }

  private static String of(long each, String what) {
    return each == 1 ? ", each for " : ", %s for each %s of ".formatted(Numbers.text(each), what);
  }

  private Ipv6Prefix largest() {
    return part.prefixes().stream().min(Comparator.comparingInt(Ipv6Prefix::length)).orElseThrow();
  }

  /** A prefix that is longer than subnets are is a subnet itself. */
  private int subnetLength(Ipv6Prefix prefix) {
    return Math.max(prefix.length(), part.subnetLength().orElse(prefix.length()));
  }

  private UInt128 nodesOfSubnet(Ipv6Prefix prefix) {
    UInt128 all = UInt128.powerOfTwo(taken - subnetLength(prefix));
    Provider provider = part.provider();
    return all.minus(touched(provider.reservedFirst(), taken))
        .minus(touched(provider.reservedLast(), taken));
  }

  private UInt128 nodes(Ipv6Prefix prefix) {
    // Shifts, since both are powers of two but for what is reserved.
    int subnets = subnetLength(prefix) - prefix.length();
    return nodesOfSubnet(prefix).shiftLeft(subnets);
  }

  /** How many prefixes of nodes the reserved addresses at one end of a subnet touch. */
  static UInt128 touched(long reserved, int length) {
    return reserved == 0
        ? UInt128.ZERO
        : UInt128.of(reserved - 1).shiftRight(UInt128.BITS - length).plus(UInt128.of(1));
  }
}
