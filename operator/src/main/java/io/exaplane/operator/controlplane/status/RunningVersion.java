// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.status;

import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Versions;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.rollout.Rollout;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** The version of Kubernetes that a control plane runs. Pure. */
final class RunningVersion {
  private RunningVersion() {}

  /** What all components run; as before while they differ. */
  static String current(Observed observed) {
    List<String> components =
        Stream.of(
                ControlPlaneNames.API_SERVER,
                ControlPlaneNames.CONTROLLER_MANAGER,
                ControlPlaneNames.SCHEDULER)
            .filter(
                component ->
                    !component.equals(ControlPlaneNames.SCHEDULER)
                        || !observed.scheduling().handedOver())
            .toList();
    List<Deployment> deployments =
        components.stream().map(observed::deployment).flatMap(Optional::stream).toList();
    String before = before(observed, Versions::current);
    int wanted = observed.scheduling().handedOver() ? 2 : 3;
    boolean allRun =
        deployments.size() == wanted && deployments.stream().allMatch(Rollout::isComplete);
    List<String> versions = deployments.stream().map(Rollout::version).distinct().toList();
    return allRun && versions.size() == 1 ? versions.getFirst() : before;
  }

  /** What an apiserver has run; a version that never started can be taken back. */
  static String applied(Observed observed) {
    return observed
        .deployment(ControlPlaneNames.API_SERVER)
        .filter(Rollout::hasStarted)
        .map(Rollout::version)
        .orElseGet(() -> before(observed, Versions::applied));
  }

  private static String before(Observed observed, Function<Versions, String> which) {
    return Optional.ofNullable(observed.controlPlane().asked().getStatus())
        .map(ControlPlaneStatus::version)
        .map(which)
        .orElse(null);
  }
}
