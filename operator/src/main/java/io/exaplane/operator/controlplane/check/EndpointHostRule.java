// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.check;

import io.exaplane.api.v1alpha1.ControlPlaneSpec;
import io.exaplane.api.v1alpha1.EndpointSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.net.IpAddresses;
import io.exaplane.operator.outcome.Problem;
import java.util.Optional;

/** An endpoint's host is an IP address. */
final class EndpointHostRule implements SpecRule {
  @Override
  public Optional<Problem> check(ControlPlaneSpec spec) {
    String host = EndpointSpec.of(spec.endpoint()).host();
    if (host == null || IpAddresses.parse(host).isPresent()) {
      return Optional.empty();
    }
    return broken(
        Reason.HostNotAnAddress,
        "spec.endpoint.host %s: must be an IP address, since the hosted Service kubernetes "
            + "uses it; write the address here, and put the name into certSANs.",
        host);
  }
}
