// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.e2e.chaos.Told;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What the conditions of a control plane said while this was open, with the times. Threadsafe. */
final class ConditionHistory implements Watcher<ControlPlane>, AutoCloseable {
  private final List<Told> told = new ArrayList<>();
  private final Map<ConditionType, String> last = new EnumMap<>(ConditionType.class);
  private final Watch watch;
  private long revision;
  private String end = "";

  ConditionHistory(String name, String namespace) {
    watch = Demo.resource(name, namespace).watch(this);
  }

  @Override
  public synchronized void eventReceived(Action action, ControlPlane controlPlane) {
    revision = revision(controlPlane);
    for (ConditionType type : ConditionType.values()) {
      Bed.condition(controlPlane, type).ifPresent(condition -> note(type, condition));
    }
  }

  private void note(ConditionType type, Condition condition) {
    String now = condition.status() + condition.reason();
    if (!now.equals(last.put(type, now))) {
      told.add(
          new Told(
              Instant.now(), type, condition.status(), condition.reason(), condition.message()));
    }
  }

  private static long revision(ControlPlane controlPlane) {
    return Long.parseLong(controlPlane.getMetadata().getResourceVersion());
  }

  /** Whether all that a control plane says is in here. */
  synchronized boolean has(ControlPlane controlPlane) {
    if (!end.isEmpty()) {
      throw new AssertionError("the watch ended: " + end);
    }
    return revision >= revision(controlPlane);
  }

  synchronized List<Told> all() {
    return List.copyOf(told);
  }

  @Override
  public synchronized void onClose(WatcherException cause) {
    end = String.valueOf(cause);
  }

  @Override
  public void close() {
    watch.close();
  }
}
