// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.check;

import io.exaplane.api.v1alpha1.ControlPlaneSpec;
import io.exaplane.operator.outcome.Problem;
import java.util.List;
import java.util.Optional;

/** The rules that the schema can't see, of the spec alone. Pure. */
public final class ConfigurationCheck {
  /** In the order in which they are told; each may rely on those before it. */
  private static final List<SpecRule> RULES =
      List.of(
          new VersionRule(),
          new RoutesRule(),
          new HostBitsRule(),
          new PodAddressesRule(),
          new ArgumentsRule(),
          new ModelRule(),
          new EndpointHostRule(),
          new PausedUntilRule());

  private ConfigurationCheck() {}

  /** The first rule that the spec breaks. */
  public static Optional<Problem> check(ControlPlaneSpec spec) {
    return RULES.stream().flatMap(rule -> rule.check(spec).stream()).findFirst();
  }
}
