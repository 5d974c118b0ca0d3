// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.operator.outcome.Refusal;
import io.exaplane.operator.outcome.Refusals;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.ReconcilerUtils;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Failures of which the SDK tells no reconciler, and so no status: the finalizer cannot be set on
 * an object, nor removed, or a removal fails. An Event tells of them, once for each object and for
 * who refuses. Thread-safe.
 */
public final class UntoldFailures implements Metrics {
  private static final int MOST_REMEMBERED = 10_000;

  /** The Kinds with a finalizer of the operator's. */
  private static final Set<Class<? extends HasMetadata>> KINDS =
      Set.of(ControlPlane.class, ControlPlaneTask.class, NodePool.class, SchedulerPool.class);

  private final Set<String> told = ConcurrentHashMap.newKeySet();
  private final EventRecorder events;

  /** Told by this recorder. */
  public UntoldFailures(EventRecorder events) {
    this.events = events;
  }

  @Override
  public void failedReconciliation(
      HasMetadata about, Exception failure, Map<String, Object> metadata) {
    if (about == null || !KINDS.contains(about.getClass()) || isTold(about)) {
      return;
    }
    Refusal refusal = Refusals.of(failure);
    if (told.size() > MOST_REMEMBERED) {
      told.clear();
    }
    if (!refusal.passes() && told.add(key(about) + refusal.who())) {
      events.tell(about, new News(true, Reason.WriteRefused, refusal.text()));
    }
  }

  /** Such a failure may come again. */
  @Override
  public void finishedReconciliation(HasMetadata about, Map<String, Object> metadata) {
    if (about != null && !told.isEmpty()) {
      told.removeIf(refused -> refused.startsWith(key(about)));
    }
  }

  /** The reconciler tells of a pass that failed. */
  private static boolean isTold(HasMetadata about) {
    return about.getMetadata().getDeletionTimestamp() == null
        && about.getMetadata().getFinalizers().stream()
            .anyMatch(ReconcilerUtils.getDefaultFinalizerName(about.getClass())::equals);
  }

  private static String key(HasMetadata about) {
    return about.getMetadata().getUid() + "/";
  }
}
