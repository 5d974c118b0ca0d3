// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.outcome.Outcomes;
import io.exaplane.operator.outcome.Refusal;
import io.exaplane.operator.outcome.Refusals;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.net.HttpURLConnection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/**
 * Writes a status. One that is refused can't tell of that: an Event and the log do, once for each
 * object and reason; what is running goes on, and the status is asked for again. Thread-safe.
 */
public final class StatusWrite {
  private static final Logger LOG = Logger.getLogger(StatusWrite.class);
  private static final int MOST_REMEMBERED = 10_000;
  private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

  private StatusWrite() {}

  /** Whether it was written. */
  public static boolean attempt(
      HasMetadata about, Runnable write, EventRecorder events, Context<?> context) {
    String uid = about.getMetadata().getUid();
    try {
      write.run();
      TOLD.removeIf(told -> told.startsWith(uid));
      return true;
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
        LOG.debugf("%s is gone", about.getMetadata().getName());
        return false;
      }
      Outcomes.of(context).refused(e);
      Refusal refusal = Refusals.of(e);
      if (TOLD.size() > MOST_REMEMBERED) {
        TOLD.clear();
      }
      if (!refusal.passes() && TOLD.add(uid + refusal.who())) {
        events.event(about, "Warning", Reason.WriteRefused.name(), refusal.text());
      }
      return false;
    }
  }
}
