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
import java.util.function.Function;

/** Deletes a pod that waits in vain, so that its controller makes another one. Stateless. */
public final class PodReplacer {
  /** Of a webhook that takes part in no trial, which says nothing about the deletion. */
  private static final String NO_TRIALS = "does not support dry run";

  private PodReplacer() {}

  /**
   * The plan that can be carried out. One counts a replacement before it happens; a deletion that
   * is refused must not be counted at each look, until the budget is used up by nothing. So the
   * deletion is tried without being done: who refuses it is among the pass's outcomes.
   *
   * @param plans gives the plan in which pods may be replaced or not
   * @param mayReplace whether the operator may replace pods at all now
   */
  public static <P extends HasMetadata> RestartPlan allowed(
      P owner, boolean mayReplace, Function<Boolean, RestartPlan> plans, Context<P> context) {
    RestartPlan plan = plans.apply(mayReplace);
    return plan.replaced().filter(replaced -> !isAllowed(owner, replaced, context)).isPresent()
        ? plans.apply(false)
        : plan;
  }

  private static <P extends HasMetadata> boolean isAllowed(
      P owner, RestartPlan.Replaced replaced, Context<P> context) {
    return Outcomes.of(context)
        .attempt(
            () -> {
              try {
                return !context
                    .getClient()
                    .pods()
                    .inNamespace(owner.getMetadata().getNamespace())
                    .withName(replaced.pod())
                    .dryRun()
                    .delete()
                    .isEmpty();
              } catch (KubernetesClientException e) {
                if (String.valueOf(e.getMessage()).contains(NO_TRIALS)) {
                  return true;
                }
                throw e;
              }
            })
        .orElse(false);
  }

  /**
   * Deletes the pod that a plan names, if it names one. A refusal that the trial did not meet is
   * logged, and met at the next one.
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
