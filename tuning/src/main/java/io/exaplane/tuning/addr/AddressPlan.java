// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.addr;

import io.exaplane.tuning.model.InvalidInputException;
import io.exaplane.tuning.model.Numbers;
import io.exaplane.tuning.version.VersionMatrix;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How many nodes and pods the networks of a cluster carry, and what runs out first. Immutable.
 *
 * @param cluster what all parts have in common
 * @param parts one for each network
 * @param limits of the whole cluster
 * @param problems fatal ones first
 */
public record AddressPlan(
    ClusterNetwork cluster, List<PartPlan> parts, List<Limit> limits, List<Problem> problems) {
  /** pkg/controller/nodeipam/ipam/cidrset/cidr_set.go: the ranges are in a bitmap. */
  static final int MASK_DIFFERENCE = 16;

  /** The allocator looks for a free range one by one. */
  private static final double NEARLY_FULL = 0.9;

  /**
   * Inputs of one part.
   *
   * @param inputs by name
   * @param quotas what somebody knows better, by the quota's name
   */
  public record Asked(Map<AddressInput, String> inputs, Map<String, QuotaChange> quotas) {}

  public AddressPlan {
    parts = List.copyOf(parts);
    limits = List.copyOf(limits);
    problems = List.copyOf(problems);
  }

  /**
   * Plans the networks of a cluster.
   *
   * @param common inputs of the whole cluster
   * @param asked inputs of each part; one at least
   * @throws InvalidInputException if an input can't be, or does not fit another
   */
  public static AddressPlan of(
      Map<AddressInput, String> common,
      List<Asked> asked,
      Providers providers,
      VersionMatrix matrix) {
    ClusterNetwork cluster = ClusterNetwork.of(common, matrix);
    List<Part> parts =
        asked.stream()
            .map(each -> Part.of(each.inputs(), each.quotas(), cluster, providers))
            .toList();
    refuseOverlaps(parts);
    List<PartPlan> plans = parts.stream().map(part -> PartPlan.of(part, cluster)).toList();
    List<Limit> limits =
        cluster.pods().map(range -> nodeRanges(range, podLength(parts))).stream().toList();
    AddressPlan plan = new AddressPlan(cluster, plans, limits, List.of());
    return new AddressPlan(cluster, plans, limits, plan.found());
  }

  /** The same for every provider that needs no description, each alone. */
  public static List<AddressPlan> compare(
      Map<AddressInput, String> inputs, Providers providers, VersionMatrix matrix) {
    return providers.providers().stream()
        .filter(provider -> !provider.name().equals("custom"))
        .map(
            provider ->
                of(
                    inputs,
                    List.of(
                        new Asked(with(inputs, AddressInput.PROVIDER, provider.name()), Map.of())),
                    providers,
                    matrix))
        .toList();
  }

  private static Map<AddressInput, String> with(
      Map<AddressInput, String> inputs, AddressInput input, String value) {
    Map<AddressInput, String> changed = new EnumMap<>(AddressInput.class);
    changed.putAll(inputs);
    changed.put(input, value);
    return changed;
  }

  private static void refuseOverlaps(List<Part> parts) {
    for (int i = 0; i < parts.size(); i++) {
      for (Part other : parts.subList(0, i)) {
        if (parts.get(i).assumed() || other.assumed()) {
          continue;
        }
        for (Ipv6Prefix prefix : parts.get(i).prefixes()) {
          for (Ipv6Prefix theirs : other.prefixes()) {
            Overlaps.refuse(
                AddressInput.PREFIXES, prefix, theirs, "a prefix of " + other.provider().name());
          }
        }
      }
    }
  }

  /** kube-controller-manager has one length for all nodes. */
  private static int podLength(List<Part> parts) {
    int length = parts.getFirst().podLength();
    for (Part part : parts) {
      if (part.podLength() != length) {
        throw new InvalidInputException(
            AddressInput.POD_PREFIX_LENGTH.key(),
            Integer.toString(part.podLength()),
            "differs from /%d of %s, but kube-controller-manager gives all nodes the same length"
                .formatted(length, parts.getFirst().provider().name()),
            "set one length for all parts");
      }
    }
    return length;
  }

  private static Limit nodeRanges(Ipv6Prefix range, int length) {
    int difference = length - range.length();
    boolean refused = difference > MASK_DIFFERENCE;
    String next =
        "use the prefixes of the nodes instead of a cluster range: kube-controller-manager has no other setting";
    if (refused) {
      next =
          "set --pod-prefix-length to %d or shorter, or use a smaller range"
              .formatted(range.length() + MASK_DIFFERENCE);
    } else if (difference < MASK_DIFFERENCE) {
      next = "set --pod-prefix-length to more than %d, or use a larger range".formatted(length);
    }
    return new Limit(
        "node-ranges",
        Limit.Kind.KUBERNETES,
        Optional.of(refused ? UInt128.ZERO : range.parts(length)),
        Optional.empty(),
        refused
            ? "kube-controller-manager does not start: it divides a range into 65,536 at most"
            : "ranges of /%d in %s".formatted(length, range),
        next,
        "github.com/kubernetes/kubernetes, pkg/controller/nodeipam/ipam/cidrset/cidr_set.go",
        "1.30 to 1.37");
  }

  /** Nodes that are planned; empty if a part plans none. */
  public Optional<Long> wanted() {
    return parts.stream().anyMatch(part -> part.wanted().isEmpty())
        ? Optional.empty()
        : Optional.of(parts.stream().mapToLong(part -> part.wanted().get()).sum());
  }

  /** Nodes that the cluster carries; empty if nothing is known of a part. */
  public Optional<UInt128> nodes() {
    Optional<UInt128> whole = Limit.first(limits).flatMap(Limit::nodes);
    if (parts.stream().anyMatch(part -> part.nodes().isEmpty())) {
      return whole;
    }
    UInt128 sum =
        parts.stream().map(part -> part.nodes().get()).reduce(UInt128.ZERO, UInt128::plus);
    return Optional.of(whole.map(sum::min).orElse(sum));
  }

  /** Pods on these nodes; empty if nothing is known of a part. */
  public Optional<UInt128> pods() {
    long most = parts.stream().mapToLong(PartPlan::podsPerNode).max().orElse(0);
    Optional<UInt128> whole = nodes().map(nodes -> nodes.times(most));
    if (parts.stream().anyMatch(part -> part.pods().isEmpty())) {
      return whole;
    }
    UInt128 sum = parts.stream().map(part -> part.pods().get()).reduce(UInt128.ZERO, UInt128::plus);
    return Optional.of(whole.map(sum::min).orElse(sum));
  }

  /**
   * What runs out first of all; empty if nothing is known, or if each of several parts has a first
   * thing of its own.
   */
  public Optional<Limit> first() {
    if (parts.size() == 1) {
      return Limit.first(limitsOf(parts.getFirst()));
    }
    return Limit.first(limits).filter(limit -> limit.nodes().equals(nodes()));
  }

  /** All limits of a part, with those of the cluster, in their order. */
  public List<Limit> limitsOf(PartPlan part) {
    List<Limit> all = new ArrayList<>(part.limits());
    all.addAll(limits);
    all.sort(Limit.ORDER);
    return all;
  }

  /** Whether nothing runs out below the number of planned nodes, and all pods get addresses. */
  public boolean carries() {
    return problems.stream().noneMatch(Problem::fatal);
  }

  private List<Problem> found() {
    List<Problem> found = new ArrayList<>();
    for (PartPlan part : parts) {
      part.wanted()
          .ifPresent(wanted -> exceeded(part.provider().name(), wanted, part.first(), found));
      shortOfPods(part, found);
    }
    wanted().ifPresent(sum -> exceeded("the cluster", sum, Limit.first(limits), found));
    found.sort((a, b) -> Boolean.compare(b.fatal(), a.fatal()));
    return found;
  }

  private static void exceeded(
      String where, long wanted, Optional<Limit> first, List<Problem> found) {
    if (first.isEmpty()) {
      return;
    }
    Limit limit = first.get();
    UInt128 nodes = limit.nodes().orElseThrow();
    if (nodes.compareTo(UInt128.of(wanted)) < 0) {
      found.add(
          new Problem(
              "nodes-exceeded",
              true,
              "%s has %s nodes in the plan, but %s carries %s"
                  .formatted(where, Numbers.text(wanted), limit.name(), nodes.text()),
              limit.next()));
    } else if (limit.kind() == Limit.Kind.KUBERNETES
        && wanted > NEARLY_FULL * nodes.doubleValue()) {
      found.add(
          new Problem(
              "node-ranges-nearly-used",
              false,
              "%s nodes use more than 90 %% of the %s ranges, and kube-controller-manager searches them one by one"
                  .formatted(Numbers.text(wanted), nodes.text()),
              limit.next()));
    }
  }

  private void shortOfPods(PartPlan part, List<Problem> found) {
    if (part.podsPerNode() >= cluster.maxPods() || part.podAddresses().equals(UInt128.ZERO)) {
      return;
    }
    found.add(
        new Problem(
            "pod-addresses-exceeded",
            true,
            "at %s, the /%d of a node has %s addresses for pods, but kubelet's maxPods is %s"
                .formatted(
                    part.provider().name(),
                    part.podLength(),
                    part.podAddresses().text(),
                    Numbers.text(cluster.maxPods())),
            "set --max-pods to %s".formatted(part.podAddresses()) + shorter(part)));
  }

  /** Whether another prefix for pods has enough addresses. */
  private String shorter(PartPlan part) {
    int length = PartPlan.lengthFor(cluster.maxPods());
    int shortest =
        cluster
            .pods()
            .map(Ipv6Prefix::length)
            .orElse(part.nodeLength() + (part.provider().holdsAddress() ? 1 : 0));
    return length < shortest ? "" : ", or --pod-prefix-length to %d or shorter".formatted(length);
  }
}
