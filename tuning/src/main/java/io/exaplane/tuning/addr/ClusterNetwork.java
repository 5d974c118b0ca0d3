// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.addr;

import io.exaplane.tuning.model.InvalidInputException;
import io.exaplane.tuning.version.Component;
import io.exaplane.tuning.version.MinorVersion;
import io.exaplane.tuning.version.VersionMatrix;
import java.util.Map;
import java.util.Optional;

/**
 * What all parts of a plan have in common. Immutable.
 *
 * @param maxPods kubelet's
 * @param services the range of Services
 * @param pods the range that kube-controller-manager divides
 */
public record ClusterNetwork(
    MinorVersion version, long maxPods, Ipv6Prefix services, Optional<Ipv6Prefix> pods) {
  /** cmd/kube-apiserver/app/options/validation.go. */
  private static final int SERVICE_HOST_BITS = 20;

  /** pkg/registry/core/service/ipallocator/ipallocator.go, where the limit above is gone. */
  private static final int SERVICE_MOST_HOST_BITS = 64;

  /** pkg/controlplane/apiserver/options: at least 8 addresses. */
  private static final int SERVICE_LEAST_HOST_BITS = 3;

  /** The kubelet's field is of 31 bits; more pods than ports of a node have never been tried. */
  private static final long MOST_PODS = 65_535;

  /**
   * Reads inputs.
   *
   * @throws InvalidInputException if a value can't be
   */
  static ClusterNetwork of(Map<AddressInput, String> inputs, VersionMatrix matrix) {
    Values values = new Values(inputs);
    MinorVersion version =
        values
            .text(AddressInput.KUBERNETES_VERSION)
            .map(text -> version(text, matrix))
            .orElseGet(() -> matrix.minors().getLast());
    Ipv6Prefix services =
        values
            .prefix(AddressInput.SERVICE_CIDR)
            .orElseGet(() -> Ipv6Prefix.parse(AddressInput.SERVICE_CIDR.defaultText()));
    checkServices(services, version, matrix);
    Optional<Ipv6Prefix> pods = values.prefix(AddressInput.CLUSTER_CIDR);
    pods.ifPresent(
        range ->
            Overlaps.refuse(AddressInput.CLUSTER_CIDR, range, services, "the range of Services"));
    long maxPods =
        values
            .number(AddressInput.MAX_PODS, 1, MOST_PODS)
            .orElseGet(() -> Long.valueOf(AddressInput.MAX_PODS.defaultText()));
    return new ClusterNetwork(version, maxPods, services, pods);
  }

  private static MinorVersion version(String text, VersionMatrix matrix) {
    try {
      MinorVersion version = MinorVersion.parse(text);
      if (matrix.minors().contains(version)) {
        return version;
      }
    } catch (IllegalArgumentException e) {
      throw new InvalidInputException(
          AddressInput.KUBERNETES_VERSION.key(), text, e.getMessage(), "write it as 1.36");
    }
    throw new InvalidInputException(
        AddressInput.KUBERNETES_VERSION.key(),
        text,
        "must lie between %s and %s"
            .formatted(matrix.minors().getFirst(), matrix.minors().getLast()),
        "name a version between them");
  }

  private static void checkServices(
      Ipv6Prefix services, MinorVersion version, VersionMatrix matrix) {
    int hostBits = UInt128.BITS - services.length();
    String field = AddressInput.SERVICE_CIDR.key();
    if (hostBits < SERVICE_LEAST_HOST_BITS) {
      throw new InvalidInputException(
          field,
          services.toString(),
          "is too small for kube-apiserver",
          "use a range with at least 8 addresses");
    }
    boolean large =
        enabled("MultiCIDRServiceAllocator", version, matrix)
            && enabled("DisableAllocatorDualWrite", version, matrix);
    int most = large ? SERVICE_MOST_HOST_BITS : SERVICE_HOST_BITS;
    if (hostBits > most) {
      throw new InvalidInputException(
          field,
          services.toString(),
          "is too large for kube-apiserver " + version,
          "use a prefix of /%d or longer".formatted(UInt128.BITS - most));
    }
  }

  /** By default, or because it is gone after it was locked on. */
  private static boolean enabled(String gate, MinorVersion version, VersionMatrix matrix) {
    return matrix
        .gate(Component.KUBE_APISERVER, version, gate)
        .map(found -> found.enabledByDefault())
        .orElse(
            matrix.gateRuns(Component.KUBE_APISERVER, gate).stream()
                .anyMatch(run -> run.value().locked() && run.until().compareTo(version) < 0));
  }
}
