// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.check;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ImagesSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.pki.PullSecretUse;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Collection;
import java.util.Optional;

/**
 * Whether a control plane may pull with the Secret that its spec names. One that does already goes
 * on, and is told.
 *
 * @param problem holds everything up
 * @param notice is said of a spec that is carried out
 */
public record PullSecretCheck(Optional<Problem> problem, Optional<Problem> notice) {
  /**
   * Asks the API server for the Secret, if the spec names one.
   *
   * @param deployments those of the control plane that are there
   */
  public static PullSecretCheck of(
      ControlPlane controlPlane, Collection<Deployment> deployments, KubernetesClient client) {
    ImagesSpec images = controlPlane.getSpec().images();
    Optional<String> objection = PullSecretUse.objection(controlPlane, images, client);
    boolean isUsed =
        deployments.stream()
            .anyMatch(
                deployment ->
                    PullSecretUse.isIn(deployment.getSpec().getTemplate().getSpec(), images));
    return isUsed
        ? new PullSecretCheck(Optional.empty(), objection.map(PullSecretUse::notice))
        : new PullSecretCheck(
            objection.map(
                text ->
                    new Problem(
                        Reason.PullSecretRefused,
                        text + ". The operator changes nothing until then.")),
            Optional.empty());
  }
}
