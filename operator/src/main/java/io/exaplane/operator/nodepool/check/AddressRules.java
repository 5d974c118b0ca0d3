// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.check;

import io.exaplane.api.v1alpha1.NetworkSpec;
import io.exaplane.api.v1alpha1.NodeAddressesSpec;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.net.AddressRange;
import io.exaplane.operator.nodepool.address.PoolOverlap;
import io.exaplane.operator.nodepool.render.ClusterPlans;
import io.exaplane.operator.outcome.Problem;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where the pods of a pool get their addresses: from the control plane's ranges, or from prefixes
 * that hosts bring, never from both; and the prefixes have room and are nobody else's. Pure.
 */
public final class AddressRules {
  /** The bridge's own address, and the first one, which is every router's (RFC 4291, 2.6.1). */
  private static final int NO_PODS = 2;

  /** So many prefixes are more than a ControlPlane has nodes; shifts stay within an int. */
  private static final int ENOUGH_BITS = 30;

  private AddressRules() {}

  /** What is wrong with the addresses. */
  public static Optional<Problem> problem(PoolContext context) {
    NodeAddressesSpec own = context.pool().getSpec().addresses();
    List<String> podCidrs = NetworkSpec.podCIDRs(context.controlPlane().getSpec().network());
    if (own == null) {
      return podCidrs.isEmpty()
          ? Optional.of(
              Problem.of(
                  Reason.PodCIDRsMissing,
                  "spec.addresses: is not set, and ControlPlane %s has no spec.network.podCIDRs, so"
                      + " pods would get no addresses. Create a new NodePool with spec.addresses,"
                      + " or a ControlPlane with podCIDRs.",
                  context.controlPlaneName()))
          : Optional.empty();
    }
    if (!podCidrs.isEmpty()) {
      return Optional.of(
          Problem.of(
              Reason.PodCIDRsSet,
              "spec.addresses: ControlPlane %s has spec.network.podCIDRs %s, of which"
                  + " kube-controller-manager gives each node a part. Create a new NodePool without"
                  + " spec.addresses.",
              context.controlPlaneName(),
              String.join(", ", podCidrs)));
    }
    return pods(own, context.maxPods()).or(() -> nodes(context)).or(() -> overlap(context));
  }

  /** The prefix of a node has an address for each pod. */
  private static Optional<Problem> pods(NodeAddressesSpec own, int maxPods) {
    int bits = 128 - own.podPrefixLength();
    long room = (1L << Math.min(bits, ENOUGH_BITS)) - NO_PODS;
    return maxPods <= room
        ? Optional.empty()
        : Optional.of(
            Problem.of(
                Reason.PrefixTooSmall,
                "spec.addresses.podPrefixLength %d: a prefix of this length has %d addresses for"
                    + " pods, but a node may have %d pods. Set spec.kubelet.maxPods to at most %d,"
                    + " or create a new NodePool with a shorter length.",
                own.podPrefixLength(),
                room,
                maxPods,
                room));
  }

  /** Length of what each host gets, of which its pods may have a part. */
  private static int hostLength(NodeAddressesSpec own) {
    return own.requested() == null || own.requested().length() == null
        ? own.podPrefixLength()
        : own.requested().length();
  }

  /** The networks have a prefix for each node. Of one that is too long, no host gets a part. */
  private static Optional<Problem> nodes(PoolContext context) {
    NodeAddressesSpec own = context.pool().getSpec().addresses();
    int length = hostLength(own);
    long room =
        own.prefixes().stream()
            .map(AddressRange::of)
            .filter(network -> network.prefixBits() <= length)
            .mapToLong(network -> 1L << Math.min(length - network.prefixBits(), ENOUGH_BITS))
            .sum();
    return context.pool().getSpec().maxNodes() <= room
        ? Optional.empty()
        : Optional.of(
            Problem.of(
                Reason.PrefixTooSmall,
                "spec.addresses.prefixes %s: have %d prefixes of the length %d, but spec.maxNodes"
                    + " is %d. Lower spec.maxNodes, or create a new NodePool with larger networks.",
                String.join(", ", own.prefixes()),
                room,
                length,
                context.pool().getSpec().maxNodes()));
  }

  /**
   * Neither Services nor an older pool have these addresses. The management cluster may be in the
   * same networks of a provider: its addresses are held against the prefix of each node.
   */
  private static Optional<Problem> overlap(PoolContext context) {
    List<AddressRange> networks =
        context.pool().getSpec().addresses().prefixes().stream().map(AddressRange::of).toList();
    Stream<Optional<String>> found =
        networks.stream()
            .map(
                network ->
                    ClusterPlans.reserved(context.controlPlane(), List.of()).stream()
                        .filter(other -> other.range().overlaps(network))
                        .findFirst()
                        .map(
                            other ->
                                "spec.addresses.prefixes %s: overlaps %s, of %s. Packets of pods would reach the wrong network. Create a new NodePool with networks that nothing else uses."
                                    .formatted(
                                        network.text(), other.range().text(), other.what())));
    return found
        .flatMap(Optional::stream)
        .findFirst()
        .or(
            () ->
                PoolOverlap.find(
                    ClusterPlans.withAddresses(context.pool()),
                    context.elders().stream()
                        .filter(AddressRules::hasAddresses)
                        .map(ClusterPlans::withAddresses)
                        .toList()))
        .map(message -> new Problem(Reason.NetworkOverlap, message));
  }

  private static boolean hasAddresses(NodePool pool) {
    return pool.getSpec().addresses() != null;
  }
}
