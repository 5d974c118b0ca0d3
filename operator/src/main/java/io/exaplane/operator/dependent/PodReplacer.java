// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.dependent;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.outcome.Outcomes;
import io.exaplane.operator.restart.RestartPlan;
import io.exaplane.operator.status.EventRecorder;
import io.exaplane.operator.status.News;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.net.HttpURLConnection;
import java.util.Optional;

/** Deletes a pod that waits in vain, so that its controller makes another one. Stateless. */
public final class PodReplacer {
  private PodReplacer() {}

  /**
   * Deletes the pod that a plan names, if it names one. Who refuses that is told of at the next
   * look, and logged at once.
   *
   * @param owner the object that is told of it, by an Event
   */
  public static <P extends HasMetadata> void replace(
      P owner, Optional<RestartPlan> plan, Context<P> context, EventRecorder events) {
    plan.flatMap(RestartPlan::replaced)
        .ifPresent(
            replaced ->
                Outcomes.of(context)
                    .attempt(() -> replace(owner, replaced, context.getClient(), events)));
  }

  /** Deletes it as it was seen: one that has changed since is looked at again. */
  private static void replace(
      HasMetadata owner,
      RestartPlan.Replaced replaced,
      KubernetesClient client,
      EventRecorder events) {
    Pod pod =
        new PodBuilder()
            .withNewMetadata()
            .withName(replaced.pod())
            .withNamespace(owner.getMetadata().getNamespace())
            .withResourceVersion(replaced.version())
            .endMetadata()
            .build();
    try {
      boolean gone =
          client.pods().resource(pod).lockResourceVersion(replaced.version()).delete().isEmpty();
      if (gone) {
        return;
      }
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
        return;
      }
      throw e;
    }
    events.tell(owner, new News(false, Reason.PodReplaced, replaced.why()));
  }
}
