// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.check;

import io.exaplane.api.v1alpha1.ControlPlaneSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.outcome.Problem;
import java.util.Optional;

/** This operator runs the minor version. */
final class VersionRule implements SpecRule {
  @Override
  public Optional<Problem> check(ControlPlaneSpec spec) {
    if (SupportedVersions.minors().contains(SupportedVersions.minor(spec.version()))) {
      return Optional.empty();
    }
    return broken(
        Reason.UnsupportedVersion,
        "spec.version %s: this operator runs Kubernetes %s; set one of these versions, or "
            + "upgrade the operator.",
        spec.version(),
        SupportedVersions.text());
  }
}
