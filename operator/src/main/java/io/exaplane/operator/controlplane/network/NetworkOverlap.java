// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.network;

import io.exaplane.api.v1alpha1.ControlPlaneSpec;
import io.exaplane.api.v1alpha1.NetworkSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.management.Taken;
import io.exaplane.operator.net.AddressRange;
import io.exaplane.operator.outcome.Problem;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Whether a hosted network has addresses that the management cluster has: what is sent there from a
 * pod of the control plane, to a webhook, a kubelet or an aggregated API, would come to the wrong
 * one. Pure.
 */
final class NetworkOverlap {
  private NetworkOverlap() {}

  /** Both values, the rule and the next action, for the first that overlap. */
  static Optional<Problem> find(ControlPlaneSpec spec, List<Taken> taken) {
    return Stream.concat(
            NetworkSpec.serviceCIDRs(spec.network()).stream()
                .flatMap(cidr -> find("serviceCIDRs", cidr, taken).stream()),
            NetworkSpec.podCIDRs(spec.network()).stream()
                .flatMap(cidr -> find("podCIDRs", cidr, taken).stream()))
        .findFirst()
        .map(message -> new Problem(Reason.NetworkOverlap, message));
  }

  private static Optional<String> find(String field, String cidr, List<Taken> taken) {
    Optional<AddressRange> hosted = AddressRange.parse(cidr);
    return taken.stream()
        .filter(
            other ->
                hosted.isPresent()
                    && AddressRange.parse(other.range()).filter(hosted.get()::overlaps).isPresent())
        .findFirst()
        .map(
            other ->
                "spec.network.%s %s: overlaps %s, of the management cluster's %s. The control plane's pods would connect to the wrong network. Set a range that the management cluster does not use."
                    .formatted(field, cidr, other.range(), other.what()));
  }
}
