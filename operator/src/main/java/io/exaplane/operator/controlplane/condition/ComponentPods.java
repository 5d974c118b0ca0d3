// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.hosted.LeaderProbe;
import io.exaplane.operator.controlplane.hosted.Leaders;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.sizing.OutOfMemory;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.rollout.Rollout;
import io.exaplane.operator.status.Patience;
import io.exaplane.operator.status.Verdict;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.Optional;

/** Whether pods of a component are ready, and one of them works, for its condition. Pure. */
final class ComponentPods {
  private ComponentPods() {}

  /**
   * From what was seen.
   *
   * @param component its name, as "apiserver"
   * @param wasMet whether pods were ready before
   */
  static Verdict of(Observed observed, String component, boolean wasMet) {
    Optional<Deployment> deployment = observed.deployment(component);
    int ready = deployment.map(Rollout::ready).orElse(0);
    int desired = deployment.map(d -> d.getSpec().getReplicas()).orElse(0);
    String name = observed.controlPlane().names().component(component);
    String killed = killed(observed, component);
    String why = ready < desired && killed.isEmpty() ? why(observed, component) : killed;
    if (ready > 0) {
      return Verdict.yes(
          ready < desired ? Reason.PartlyAvailable : Reason.AsExpected,
          "%d of %d pods of %s are ready.%s".formatted(ready, desired, name, why));
    }
    if (deployment.isEmpty()) {
      return Verdict.no(
          Reason.Creating,
          "The operator creates Deployment %s when stores and certificates exist.%s"
              .formatted(name, Patience.NO_ACTION));
    }
    return Verdict.no(
        wasMet ? Reason.Unavailable : Reason.Starting,
        "None of %d pods of %s is ready%s"
            .formatted(
                desired,
                name,
                why.isEmpty()
                    ? ". If this persists, see 'kubectl describe deployment %s'.".formatted(name)
                    : "." + why));
  }

  /** What is said of ready pods of a component while none of them holds its Lease. */
  static Verdict nobodyInCharge(
      Observed observed, String component, ConditionType type, Leaders leaders) {
    String deployment = observed.controlPlane().names().component(component);
    return Verdict.no(
        Reason.NobodyInCharge,
        "Pods of %s are ready, but none of them holds the Lease %s in the hosted cluster, so the component does no work. %s"
            .formatted(
                deployment,
                LeaderProbe.lease(observed.controlPlane().asked().getSpec(), type),
                leaders.refusesWrites()
                    ? AvailableCondition.IN_THE_HOSTED_CLUSTER + leaders.writeProblem()
                    : "See 'kubectl -n %s logs deployment/%s'."
                        .formatted(observed.controlPlane().namespace(), deployment)));
  }

  /** What keeps the pods of a component that are not ready. */
  private static String why(Observed observed, String component) {
    return new ComponentTrouble(observed)
        .of(component)
        .map(text -> " " + sentence(text))
        .orElse("");
  }

  /** That a pod was killed for its memory; for kube-apiserver there is more to say of it. */
  private static String killed(Observed observed, String component) {
    return OutOfMemory.of(observed.pods(component), "kube-" + component)
        .map(
            end ->
                " %s%s"
                    .formatted(
                        sentence(end.text()),
                        component.equals(ControlPlaneNames.API_SERVER)
                            ? " See SizingValid for what to do."
                            : ""))
        .orElse("");
  }

  private static String sentence(String text) {
    return Character.toUpperCase(text.charAt(0))
        + text.substring(1)
        + (text.endsWith(".") ? "" : ".");
  }
}
