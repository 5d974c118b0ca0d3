// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.outcome.Outcomes;
import io.exaplane.operator.outcome.Refusal;
import io.exaplane.operator.outcome.Refusals;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * Writes the statuses of one kind, and tells of conditions that changed. One that is refused can't
 * tell of that: an Event and the log do, once for each object and reason; what is running goes on,
 * and the status is asked for again. Thread-safe.
 *
 * @param <S> the kind's status
 * @param <P> the kind
 */
public final class StatusWriter<S, P extends CustomResource<?, S>> {
  private static final Logger LOG = Logger.getLogger(StatusWriter.class);
  private static final int MOST_REMEMBERED = 10_000;

  private final Set<String> told = ConcurrentHashMap.newKeySet();
  private final Supplier<P> kind;
  private final Set<String> bad;
  private final EventRecorder events;

  /**
   * For a kind.
   *
   * @param kind makes an empty object
   * @param bad condition types for which True is bad
   */
  public StatusWriter(Supplier<P> kind, Set<String> bad, EventRecorder events) {
    this.kind = kind;
    this.bad = bad;
    this.events = events;
  }

  /** What is applied on the server's side: the object's name, and a status. */
  public P patch(P about, S status) {
    P patch = kind.get();
    patch.setMetadata(
        new ObjectMetaBuilder()
            .withName(about.getMetadata().getName())
            .withNamespace(about.getMetadata().getNamespace())
            .build());
    patch.setStatus(status);
    return patch;
  }

  /**
   * Writes a status that is another one, and into the cache too: a next look that still saw the
   * status before would take a change back to it for no change, and no event would ever correct
   * that. Asks once: the SDK's own way takes 422, with which policies refuse, for a conflict, waits
   * for another version of the object for ten seconds, and then names a cache that is late.
   *
   * @param changes the conditions that changed
   * @return whether the status is as it should be
   */
  public boolean write(P about, S status, List<Condition> changes, Context<P> context) {
    if (status.equals(about.getStatus())) {
      return true;
    }
    String uid = about.getMetadata().getUid();
    try {
      P written =
          context
              .getClient()
              .resource(patch(about, status))
              .subresource("status")
              .patch(
                  new PatchContext.Builder()
                      .withFieldManager(context.getControllerConfiguration().fieldManager())
                      .withForce(true)
                      .withPatchType(PatchType.SERVER_SIDE_APPLY)
                      .build());
      context
          .eventSourceRetriever()
          .getControllerEventSource()
          .handleRecentResourceUpdate(ResourceID.fromResource(about), written, about);
      told.removeIf(refused -> refused.startsWith(uid));
    } catch (KubernetesClientException e) {
      refused(about, e, context);
      return false;
    }
    events.conditionsChanged(about, changes, bad);
    return true;
  }

  private void refused(P about, KubernetesClientException e, Context<P> context) {
    if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
      LOG.debugf("%s is gone", about.getMetadata().getName());
      return;
    }
    Outcomes.of(context).refused(e);
    Refusal refusal = Refusals.of(e);
    if (told.size() > MOST_REMEMBERED) {
      told.clear();
    }
    if (!refusal.passes() && told.add(about.getMetadata().getUid() + refusal.who())) {
      events.tell(about, new News(true, Reason.WriteRefused, refusal.text()));
    }
  }
}
