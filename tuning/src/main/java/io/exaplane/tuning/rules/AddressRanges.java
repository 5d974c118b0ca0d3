// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.rules;

import static io.exaplane.tuning.version.Component.KUBE_APISERVER;
import static io.exaplane.tuning.version.Component.KUBE_CONTROLLER_MANAGER;

import io.exaplane.tuning.model.Cidr;
import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.InvalidInputException;
import io.exaplane.tuning.model.Numbers;
import io.exaplane.tuning.rules.Item.Confidence;
import java.util.ArrayList;
import java.util.List;

/** Ranges of addresses that do, and those that the controller manager or kube-apiserver refuse. */
final class AddressRanges implements Rule {
  /** pkg/controller/nodeipam/ipam/cidrset: an IPv6 range is cut into 65,536 parts at most. */
  private static final int IPV6_MASK_DIFFERENCE = 16;

  /** cmd/kube-apiserver/app/options/validation.go. */
  private static final int SERVICE_HOST_BITS = 20;

  /** pkg/controlplane/apiserver/options: at least 8 addresses. */
  private static final int SERVICE_LEAST_HOST_BITS = 3;

  /** What the allocator before MultiCIDRServiceAllocator used of an IPv6 range. */
  private static final double CLASSIC_SERVICES = 65_536;

  @Override
  public String name() {
    return "address-ranges";
  }

  @Override
  public void apply(Estimate estimate, Advice advice) {
    refuseLargeServiceRanges(estimate, advice);
    warnOfServices(estimate, advice);
    List<Cidr> ranges = estimate.shape().cidrs(Input.POD_CIDRS);
    List<String> allocated = new ArrayList<>();
    boolean possible = !ranges.isEmpty();
    for (Cidr range : ranges) {
      Input mask = range.ipv6() ? Input.NODE_MASK_IPV6 : Input.NODE_MASK_IPV4;
      int length = (int) estimate.shape().number(mask);
      if (length < range.prefixLength()) {
        throw new InvalidInputException(
            mask.key(),
            Integer.toString(length),
            "must not be shorter than the prefix of " + range.text(),
            "each node gets a part of " + Input.POD_CIDRS.key());
      }
      possible &= roomFor(estimate, range, length, advice);
      warnOfPods(estimate, range, length, advice);
      allocated.add(range.text());
    }
    if (!ranges.isEmpty() && !possible) {
      advice.flag(
          KUBE_CONTROLLER_MANAGER,
          "allocate-node-cidrs",
          "false",
          Why.because("the controller manager cannot give each node a part of these ranges"));
    }
    if (possible) {
      Why why =
          Why.because("the controller manager gives every node a part of these ranges")
              .source(Confidence.H, "pkg/controller/nodeipam")
              .risk("do not give these ranges to a CNI plugin that has its own")
              .with(Input.POD_CIDRS.key(), String.join(",", allocated));
      advice.flag(KUBE_CONTROLLER_MANAGER, "allocate-node-cidrs", "true", why);
      advice.flag(KUBE_CONTROLLER_MANAGER, "cluster-cidr", String.join(",", allocated), why);
      for (Cidr range : ranges) {
        Input mask = range.ipv6() ? Input.NODE_MASK_IPV6 : Input.NODE_MASK_IPV4;
        if (estimate.shape().given(mask).isPresent()
            && !estimate.shape().given(mask).get().equals(mask.defaultText())) {
          advice.flag(
              KUBE_CONTROLLER_MANAGER, mask.key(), (long) estimate.shape().number(mask), why);
        }
      }
    }
  }

  /** Whether the controller manager can give each node a part; warns if not. */
  private static boolean roomFor(Estimate estimate, Cidr range, int nodeLength, Advice advice) {
    int difference = nodeLength - range.prefixLength();
    double parts = Math.pow(2, difference);
    Why why =
        Why.because("")
            .source(Confidence.H, "pkg/controller/nodeipam/ipam/cidrset/cidr_set.go")
            .with("range", range.text())
            .with("node prefix", nodeLength);
    if (range.ipv6() && difference > IPV6_MASK_DIFFERENCE) {
      advice.warn(
          "NodeCidrsTooMany",
          String.format(
              "the controller manager divides an IPv6 range into at most 65,536 parts; %s with"
                  + " nodes of /%d needs %s",
              range.text(), nodeLength, Numbers.text(parts)),
          estimate.shape().nodes() > 65_536
              ? "let the CNI plugin or the provider assign node ranges; the advice turns off node "
                  + "range allocation"
              : "set the node prefix to at most /" + (range.prefixLength() + IPV6_MASK_DIFFERENCE),
          why);
      return false;
    }
    if (parts < estimate.shape().nodes()) {
      advice.warn(
          "NodeCidrsTooFew",
          String.format(
              "%s has room for %s nodes of /%d, but the cluster has %s",
              range.text(),
              Numbers.text(parts),
              nodeLength,
              Numbers.text(estimate.shape().nodes())),
          range.ipv6() && estimate.shape().nodes() > 65_536
              ? "let the CNI plugin or the provider assign node ranges; the advice turns off node "
                  + "range allocation"
              : "use a larger range or longer node prefixes",
          why);
      return false;
    }
    return true;
  }

  private static void refuseLargeServiceRanges(Estimate estimate, Advice advice) {
    boolean unlimited =
        enabled(estimate, advice, "MultiCIDRServiceAllocator")
            && enabled(estimate, advice, "DisableAllocatorDualWrite");
    for (Cidr range : estimate.shape().cidrs(Input.SERVICE_CIDRS)) {
      if (range.hostBits() < SERVICE_LEAST_HOST_BITS) {
        throw new InvalidInputException(
            Input.SERVICE_CIDRS.key(),
            range.text(),
            "is too small for kube-apiserver",
            "use a range with at least 8 addresses");
      }
      if (range.hostBits() > SERVICE_HOST_BITS && !unlimited) {
        throw new InvalidInputException(
            Input.SERVICE_CIDRS.key(),
            range.text(),
            "is too large for kube-apiserver " + estimate.shape().version(),
            "use a prefix of /" + ((range.ipv6() ? 128 : 32) - SERVICE_HOST_BITS) + " or longer");
      }
    }
  }

  private static void warnOfServices(Estimate estimate, Advice advice) {
    double services = estimate.shape().number(Input.SERVICES);
    List<Cidr> ranges = estimate.shape().cidrs(Input.SERVICE_CIDRS);
    int hostBits = ranges.isEmpty() ? SERVICE_HOST_BITS : ranges.getFirst().hostBits();
    double room = Math.pow(2, Math.min(hostBits, 62));
    if (!enabled(estimate, advice, "MultiCIDRServiceAllocator")) {
      room = Math.min(room, CLASSIC_SERVICES);
    }
    if (advice.exceeds(
        new Limit(
            "addresses for Services",
            "ServiceAddressesExceeded",
            services,
            room,
            Limit.Unit.COUNT))) {
      advice.warn(
          "ServiceAddressesExceeded",
          String.format(
              "the cluster has %s Services, but the range has only %s addresses that %s can assign",
              Numbers.text(services), Numbers.text(room), estimate.shape().version()),
          "use fewer Services with a cluster IP (headless Services need none), or add "
              + "ServiceCIDRs from 1.33 on",
          Why.because("")
              .source(Confidence.H, "KEP-1880; pkg/registry/core/service/ipallocator")
              .with(Input.SERVICES.key(), services));
    }
  }

  private static void warnOfPods(Estimate estimate, Cidr range, int nodeLength, Advice advice) {
    double room = Math.pow(2, (range.ipv6() ? 128 : 32) - nodeLength) - 3;
    double pods = KubeletLoad.maxPods(estimate);
    if (room < pods) {
      advice.warn(
          "PodAddressesExceeded",
          String.format(
              "a node's /%d has %s addresses for pods, but the node may run %s pods",
              nodeLength, Numbers.text(room), Numbers.text(pods)),
          "use shorter node prefixes, or run fewer pods on a node",
          Why.because("").source(Confidence.H, "KEP-2593; maxPods").with("range", range.text()));
    }
  }

  /** By default, or because it is gone after it was locked on. */
  private static boolean enabled(Estimate estimate, Advice advice, String gate) {
    return advice
        .matrix()
        .gate(KUBE_APISERVER, estimate.shape().version(), gate)
        .map(found -> found.enabledByDefault())
        .orElse(
            advice.matrix().gateRuns(KUBE_APISERVER, gate).stream()
                .anyMatch(
                    run ->
                        run.value().locked()
                            && run.until().compareTo(estimate.shape().version()) < 0));
  }
}
