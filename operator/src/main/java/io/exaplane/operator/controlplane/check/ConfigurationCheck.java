// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.check;

import io.exaplane.api.v1alpha1.ControlPlaneSpec;
import io.exaplane.api.v1alpha1.EndpointSpec;
import io.exaplane.api.v1alpha1.NetworkSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.operator.config.PausedUntil;
import io.exaplane.operator.controlplane.sizing.Tuned;
import io.exaplane.operator.pki.IpAddresses;
import io.exaplane.tuning.model.InvalidInputException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/** The rules that the schema can't see. Pure. */
public final class ConfigurationCheck {
  private static final int IPV6_NODE_PREFIX = 64;
  private static final int IPV4_NODE_PREFIX = 24;

  private ConfigurationCheck() {}

  /** A broken rule: field, value, rule and next action in one message. */
  public record Problem(Reason reason, String message) {}

  /** The first rule that the spec breaks. */
  public static Optional<Problem> check(ControlPlaneSpec spec) {
    return version(spec)
        .or(() -> routes(spec))
        .or(() -> hostBits(spec))
        .or(() -> podAddresses(spec))
        .or(() -> ArgumentCheck.check(spec))
        .or(() -> model(spec))
        .or(() -> endpoint(spec))
        .or(() -> pausedUntil(spec));
  }

  private static Optional<Problem> version(ControlPlaneSpec spec) {
    if (SupportedVersions.minors().contains(SupportedVersions.minor(spec.version()))) {
      return Optional.empty();
    }
    return problem(
        Reason.UnsupportedVersion,
        "spec.version %s: this operator runs Kubernetes %s; set one of these versions, or "
            + "upgrade the operator.",
        spec.version(),
        String.join(" and ", SupportedVersions.minors()));
  }

  private static Optional<Problem> routes(ControlPlaneSpec spec) {
    Set<String> known = SupportedVersions.resources(SupportedVersions.minor(spec.version()));
    Set<String> groups =
        known.stream().map(r -> r.substring(0, r.indexOf('/'))).collect(Collectors.toSet());
    for (ResourceRef resource :
        StorageSpec.routes(spec.storage()).stream().flatMap(r -> r.resources().stream()).toList()) {
      if (!groups.contains(resource.group())) {
        return problem(
            Reason.UnroutableResource,
            "spec.storage.routes resource %s: \"%s\" is not a built-in API group of Kubernetes %s,"
                + " and custom and aggregated resources always use the default store; remove the"
                + " resource.",
            resource,
            resource.group(),
            spec.version());
      }
      if (!known.contains(resource.toString())) {
        return problem(
            Reason.UnknownResource,
            "spec.storage.routes resource %s: Kubernetes %s stores no such resource; correct the "
                + "plural name, or remove the resource.",
            resource,
            spec.version());
      }
    }
    return Optional.empty();
  }

  /** The first address of a Service CIDR is in certificates, so it must be what it says. */
  private static Optional<Problem> hostBits(ControlPlaneSpec spec) {
    List<String> cidrs = new ArrayList<>(NetworkSpec.serviceCIDRs(spec.network()));
    cidrs.addAll(NetworkSpec.podCIDRs(spec.network()));
    for (String cidr : cidrs) {
      int slash = cidr.indexOf('/');
      byte[] address = InetAddress.ofLiteral(cidr.substring(0, slash)).getAddress();
      int hostBits = address.length * Byte.SIZE - Integer.parseInt(cidr.substring(slash + 1));
      if (hostBits > 0
          && new BigInteger(1, address).getLowestSetBit() >= 0
          && new BigInteger(1, address).getLowestSetBit() < hostBits) {
        return problem(
            Reason.HostBitsSet,
            "spec.network CIDR %s: has bits set after its prefix; write the first address of the "
                + "range.",
            cidr);
      }
    }
    return Optional.empty();
  }

  private static Optional<Problem> podAddresses(ControlPlaneSpec spec) {
    for (String cidr : NetworkSpec.podCIDRs(spec.network())) {
      boolean v6 = cidr.contains(":");
      int nodePrefix = v6 ? IPV6_NODE_PREFIX : IPV4_NODE_PREFIX;
      int prefix = Integer.parseInt(cidr.substring(cidr.indexOf('/') + 1));
      long nodes = 1L << (nodePrefix - prefix);
      if (nodes < spec.maxNodes()) {
        return problem(
            Reason.ClusterTooLarge,
            "spec.network.podCIDRs %s: has a /%d for %d nodes, but spec.maxNodes is %d; write a"
                + " shorter prefix (at most 65536 nodes), or remove the field so that each node"
                + " brings its own prefix.",
            cidr,
            nodePrefix,
            nodes,
            spec.maxNodes());
      }
    }
    return Optional.empty();
  }

  /** What only the tuning model sees: ranges of addresses that the version refuses. */
  private static Optional<Problem> model(ControlPlaneSpec spec) {
    try {
      Tuned.of(spec, spec.version(), OptionalDouble.empty());
      return Optional.empty();
    } catch (InvalidInputException e) {
      boolean network = e.field().endsWith("cidrs") || e.field().startsWith("node-cidr");
      return problem(
          network ? Reason.InvalidCIDR : Reason.InvalidSizing,
          "%s: the tuning model refuses %s; write another value.",
          network ? "spec.network" : "spec.sizing",
          e.getMessage());
    }
  }

  private static Optional<Problem> endpoint(ControlPlaneSpec spec) {
    String host = EndpointSpec.of(spec.endpoint()).host();
    if (host == null || IpAddresses.parse(host).isPresent()) {
      return Optional.empty();
    }
    return problem(
        Reason.HostNotAnAddress,
        "spec.endpoint.host %s: must be an IP address, since the hosted Service kubernetes "
            + "uses it; write the address here, and put the name into certSANs.",
        host);
  }

  private static Optional<Problem> pausedUntil(ControlPlaneSpec spec) {
    return PausedUntil.problem(spec.pausedUntil())
        .map(message -> new Problem(Reason.InvalidPausedUntil, message));
  }

  /** Until when the spec asks to pause; empty when it does not, or no longer, or not readably. */
  public static Optional<Instant> pausedUntil(ControlPlaneSpec spec, Instant now) {
    return PausedUntil.parse(spec.pausedUntil(), now);
  }

  private static Optional<Problem> problem(Reason reason, String format, Object... values) {
    return Optional.of(new Problem(reason, format.formatted(values)));
  }
}
