// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.addr;

import io.exaplane.tuning.model.InvalidInputException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The nodes at one provider. Immutable.
 *
 * @param nodes planned; empty if only the capacity is asked
 * @param prefixes of the network; empty if the provider has none
 * @param assumed whether nobody named the prefixes: then only their length means something
 * @param subnetLength of each subnet; empty if there are no subnets
 * @param nodeLength of the prefix that a node gets; 128 if it gets none
 * @param podLength of the prefix for the pods of a node
 * @param quotas the provider's, with all changes
 */
record Part(
    Provider provider,
    Optional<Long> nodes,
    List<Ipv6Prefix> prefixes,
    boolean assumed,
    Optional<Integer> subnetLength,
    int nodeLength,
    int podLength,
    List<Quota> quotas) {
  /** The model's; see its inputs. */
  private static final long MOST_NODES = 1_000_000;

  /** plugins/ipam/host-local/backend/allocator/range.go: less has no address for pods. */
  private static final int LONGEST_FOR_PODS = 126;

  /** The default of kube-controller-manager's node-cidr-mask-size-ipv6. */
  private static final int NODE_MASK = 64;

  /** Stands for a prefix that nobody named. */
  private static final UInt128 DOCUMENTATION = Ipv6Text.parse("2001:db8::");

  /**
   * Reads inputs.
   *
   * @throws InvalidInputException if a value can't be, or does not fit another
   */
  static Part of(
      Map<AddressInput, String> inputs,
      Map<String, QuotaChange> changes,
      ClusterNetwork cluster,
      Providers providers) {
    Values values = new Values(inputs);
    Provider provider = providers.byName(values.text(AddressInput.PROVIDER).orElse(""));
    List<Ipv6Prefix> prefixes = values.prefixes(AddressInput.PREFIXES);
    boolean assumed = prefixes.isEmpty();
    if (assumed && provider.network() != null) {
      prefixes = List.of(new Ipv6Prefix(DOCUMENTATION, provider.network()));
    }
    int nodeLength =
        allowed(AddressInput.NODE_PREFIX_LENGTH, values, provider.node(), provider)
            .orElse(provider.node().length());
    Part part =
        new Part(
            provider,
            values.number(AddressInput.NODES, 1, MOST_NODES),
            prefixes,
            assumed,
            subnetLength(values, provider),
            nodeLength,
            values
                .length(AddressInput.POD_PREFIX_LENGTH)
                .orElseGet(() -> defaultPods(provider, nodeLength, cluster)),
            changed(provider, changes));
    part.checkLengths(cluster);
    part.checkOverlaps(cluster);
    return part;
  }

  private static int defaultPods(Provider provider, int nodeLength, ClusterNetwork cluster) {
    if (routed(cluster)) {
      int range = cluster.pods().get().length();
      return range <= NODE_MASK
          ? NODE_MASK
          : Math.min(range + AddressPlan.MASK_DIFFERENCE, LONGEST_FOR_PODS);
    }
    return nodeLength == UInt128.BITS
        ? provider.podLength()
        : Math.max(provider.podLength(), nodeLength);
  }

  private static Optional<Integer> subnetLength(Values values, Provider provider) {
    if (provider.subnet() == null) {
      return values.length(AddressInput.SUBNET_LENGTH);
    }
    return Optional.of(
        allowed(AddressInput.SUBNET_LENGTH, values, provider.subnet(), provider)
            .orElse(provider.subnet().length()));
  }

  private static Optional<Integer> allowed(
      AddressInput input, Values values, Provider.Lengths lengths, Provider provider) {
    Optional<Integer> length = values.length(input);
    length
        .filter(value -> !lengths.allows(value))
        .ifPresent(
            value -> {
              throw new InvalidInputException(
                  input.key(),
                  Integer.toString(value),
                  "must be %s at %s".formatted(lengths, provider.name()),
                  "use such a length, or describe the network with --provider custom");
            });
    return length;
  }

  private static List<Quota> changed(Provider provider, Map<String, QuotaChange> changes) {
    Map<String, QuotaChange> left = new TreeMap<>(changes);
    List<Quota> quotas = new ArrayList<>();
    for (Quota quota : provider.quotas()) {
      QuotaChange change = left.remove(quota.name());
      quotas.add(change == null ? quota : quota.with(change));
    }
    left.forEach((name, change) -> quotas.add(added(provider, name, change)));
    return List.copyOf(quotas);
  }

  /**
   * One that this module does not know: somebody says how much there is and how much a node uses.
   */
  private static Quota added(Provider provider, String name, QuotaChange change) {
    if (change.value() == null || change.perNode() == null) {
      throw new InvalidInputException(
          "quota",
          name,
          "is not a known quota of " + provider.name(),
          "name one of %s, or add a new quota with its value and --per-node"
              .formatted(
                  provider.quotas().stream().map(Quota::name).collect(Collectors.joining(", "))));
    }
    return new Quota(
        name,
        change.value(),
        null,
        change.used() == null ? 0 : change.used(),
        change.perNode(),
        null,
        Quota.Applies.NODES,
        "ask %s for more".formatted(provider.title()),
        change.source(),
        change.date());
  }

  /** Whether the pods of a node are in a part of the cluster range. */
  static boolean routed(ClusterNetwork cluster) {
    return cluster.pods().isPresent();
  }

  private void checkLengths(ClusterNetwork cluster) {
    for (Ipv6Prefix prefix : prefixes) {
      if (prefix.length() > nodeLength) {
        throw new InvalidInputException(
            AddressInput.PREFIXES.key(),
            prefix.toString(),
            "is smaller than the prefix of a node, a /" + nodeLength,
            "use a larger prefix, or longer prefixes for nodes");
      }
    }
    if (subnetLength.isPresent() && subnetLength.get() > nodeLength) {
      throw new InvalidInputException(
          AddressInput.SUBNET_LENGTH.key(),
          Integer.toString(subnetLength.get()),
          "is longer than the prefix of a node, a /" + nodeLength,
          "use shorter subnet lengths, or longer prefixes for nodes");
    }
    if (podLength > LONGEST_FOR_PODS) {
      throw podLength(
          "leaves no address for pods", "use /%d or shorter".formatted(LONGEST_FOR_PODS));
    }
    if (routed(cluster)) {
      Ipv6Prefix range = cluster.pods().get();
      if (podLength < range.length()) {
        throw podLength(
            "must not be shorter than the prefix of " + range,
            "each node gets a part of " + AddressInput.CLUSTER_CIDR.key());
      }
    } else if (nodeLength < UInt128.BITS && podLength < nodeLength) {
      throw podLength(
          "is shorter than the prefix of a node, a /" + nodeLength,
          "use /%d or longer".formatted(nodeLength));
    } else if (nodeLength < UInt128.BITS && podLength == nodeLength && provider.holdsAddress()) {
      throw podLength(
          "leaves no room for the node's own address, which is in the same /" + nodeLength,
          "use /%d or longer".formatted(nodeLength + 1));
    }
  }

  private InvalidInputException podLength(String rule, String next) {
    return new InvalidInputException(
        AddressInput.POD_PREFIX_LENGTH.key(), Integer.toString(podLength), rule, next);
  }

  private void checkOverlaps(ClusterNetwork cluster) {
    if (assumed) {
      return;
    }
    for (int i = 0; i < prefixes.size(); i++) {
      Ipv6Prefix prefix = prefixes.get(i);
      Overlaps.refuse(AddressInput.PREFIXES, prefix, cluster.services(), "the range of Services");
      for (Ipv6Prefix range : cluster.pods().stream().toList()) {
        Overlaps.refuse(AddressInput.PREFIXES, prefix, range, "the cluster range");
      }
      for (Ipv6Prefix other : prefixes.subList(0, i)) {
        Overlaps.refuse(AddressInput.PREFIXES, prefix, other, "another prefix");
      }
    }
  }

  /** Length of the part of a network that a node takes. */
  int takenLength(ClusterNetwork cluster) {
    return routed(cluster) && provider.network() != null && !provider.always()
        ? UInt128.BITS
        : nodeLength;
  }
}
