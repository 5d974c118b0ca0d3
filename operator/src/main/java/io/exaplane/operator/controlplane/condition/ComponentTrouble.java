// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.outcome.Refusal;
import io.exaplane.operator.rollout.Rollout;
import io.exaplane.operator.status.PodTrouble;
import io.exaplane.operator.status.Verdict;
import io.exaplane.operator.status.Words;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What keeps the pods of components from being ready. Pure. */
public final class ComponentTrouble {
  private static final List<String> COMPONENTS =
      List.of(
          ControlPlaneNames.API_SERVER,
          ControlPlaneNames.CONTROLLER_MANAGER,
          ControlPlaneNames.SCHEDULER);

  private final Observed observed;

  public ComponentTrouble(Observed observed) {
    this.observed = observed;
  }

  /** Of an object that others wait for, and that somebody refuses. */
  public static Verdict refused(Refusal refusal) {
    return Verdict.no(Reason.WriteRefused, refusal.text());
  }

  /** Of a component: what its pods say, or why there are none. */
  Optional<String> of(String component) {
    return PodTrouble.of(observed.pods(component))
        .or(
            () ->
                observed
                    .deployment(component)
                    .flatMap(Rollout::refusal)
                    .map(Words::refusedPods)
                    .map("the management cluster refuses its pods: %s"::formatted));
  }

  /** The same of a Deployment. */
  Optional<String> of(Deployment deployment) {
    return COMPONENTS.stream()
        .filter(component -> observed.deployment(component).filter(deployment::equals).isPresent())
        .flatMap(component -> of(component).stream())
        .findFirst();
  }

  /** Of the first component that has one. */
  private Optional<String> first() {
    return unready().flatMap(component -> of(component).stream()).findFirst();
  }

  /** The trouble of what is not ready, or what to look at. */
  public String firstOrLookAt() {
    return first()
        .or(
            () ->
                unready()
                    .flatMap(component -> PodTrouble.lookAt(observed.pods(component)).stream())
                    .findFirst())
        .orElseGet(
            () ->
                "see the Events in 'kubectl -n %s describe deployments -l %s=%s'"
                    .formatted(
                        observed.controlPlane().namespace(),
                        ControlPlaneNames.CONTROL_PLANE_LABEL,
                        observed.controlPlane().name()));
  }

  private Stream<String> unready() {
    return COMPONENTS.stream()
        .filter(
            component ->
                observed
                    .deployment(component)
                    .filter(deployment -> !Rollout.isComplete(deployment))
                    .isPresent());
  }
}
