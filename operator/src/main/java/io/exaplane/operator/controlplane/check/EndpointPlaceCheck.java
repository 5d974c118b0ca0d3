// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.check;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.EndpointSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.probe.OffLimits;
import java.util.Optional;

/**
 * Whether nodes can reach the endpoint that a spec names: the operator asks there every few
 * seconds, from where the operator is. Pure.
 */
public final class EndpointPlaceCheck {
  private EndpointPlaceCheck() {}

  /** What speaks against it; one that is published already stays. */
  public static Optional<Problem> check(ControlPlane controlPlane) {
    String host = EndpointSpec.of(controlPlane.getSpec().endpoint()).host();
    boolean published =
        controlPlane.getStatus() != null
            && controlPlane.getStatus().endpoint() != null
            && controlPlane.getStatus().endpoint().host().equals(host);
    return host == null || published || !OffLimits.is(host)
        ? Optional.empty()
        : Optional.of(
            new Problem(
                Reason.HostNotAnAddress,
                "spec.endpoint.host %s: is an address of the operator's own host or link, or of a cloud's metadata service, which no node can use for the API; write an address that nodes reach."
                    .formatted(host)));
  }
}
