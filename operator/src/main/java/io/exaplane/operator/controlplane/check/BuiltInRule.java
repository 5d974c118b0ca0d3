// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.check;

import io.exaplane.api.v1alpha1.AddonBuiltIn;
import io.exaplane.api.v1alpha1.AddonSpec;
import io.exaplane.api.v1alpha1.ControlPlaneSpec;
import io.exaplane.api.v1alpha1.NetworkSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.net.AddressRange;
import io.exaplane.operator.net.ClusterDns;
import io.exaplane.operator.outcome.Problem;
import java.net.InetAddress;
import java.util.Optional;

/** The built-in CoreDNS needs the tenth address of Services. */
final class BuiltInRule implements SpecRule {
  @Override
  public Optional<Problem> check(ControlPlaneSpec spec) {
    if (spec.addons() == null) {
      return Optional.empty();
    }
    String cidr = NetworkSpec.serviceCIDRs(spec.network()).getFirst();
    InetAddress tenth = InetAddress.ofLiteral(ClusterDns.address(cidr));
    return spec.addons().stream()
        .filter(addon -> addon.builtIn() == AddonBuiltIn.CoreDNS)
        .map(AddonSpec::name)
        .filter(_ -> !AddressRange.of(cidr).contains(tenth))
        .findFirst()
        .flatMap(
            name ->
                broken(
                    Reason.InvalidCIDR,
                    "spec.addons %s: builtIn CoreDNS serves at the tenth address of Services, and spec.network.serviceCIDRs %s has fewer addresses; remove the source from spec.addons, or create a ControlPlane with a prefix of /124 or shorter.",
                    name,
                    cidr));
  }
}
