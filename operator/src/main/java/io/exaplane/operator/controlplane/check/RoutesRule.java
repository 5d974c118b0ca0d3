// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.check;

import io.exaplane.api.v1alpha1.ControlPlaneSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.operator.outcome.Problem;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Routes name resources that the version has, and that a store can hold. */
final class RoutesRule implements SpecRule {
  @Override
  public Optional<Problem> check(ControlPlaneSpec spec) {
    Set<String> known = SupportedVersions.resources(SupportedVersions.minor(spec.version()));
    Set<String> groups =
        known.stream().map(r -> r.substring(0, r.indexOf('/'))).collect(Collectors.toSet());
    for (ResourceRef resource :
        StorageSpec.routes(spec.storage()).stream().flatMap(r -> r.resources().stream()).toList()) {
      if (!groups.contains(resource.group())) {
        return broken(
            Reason.UnroutableResource,
            "spec.storage.routes resource %s: \"%s\" is not a built-in API group of Kubernetes %s,"
                + " and custom and aggregated resources always use the default store; remove the"
                + " resource.",
            resource,
            resource.group(),
            spec.version());
      }
      if (!known.contains(resource.toString())) {
        return broken(
            Reason.UnknownResource,
            "spec.storage.routes resource %s: Kubernetes %s stores no such resource; correct the "
                + "plural name, or remove the resource.",
            resource,
            spec.version());
      }
    }
    return Optional.empty();
  }
}
