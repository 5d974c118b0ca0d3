// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.queue;

import io.exaplane.scheduler.engine.event.Change;
import io.exaplane.scheduler.engine.event.ClusterEvent;
import io.exaplane.scheduler.engine.event.Registration;
import io.exaplane.scheduler.engine.model.Pod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a profile's plugins hope from changes. One thread. */
public final class Hints {
  private final List<Registration> registrations;

  /** By kind of change, who asks for it. */
  private final Map<ClusterEvent, List<Registration>> concerned = new HashMap<>();

  public Hints(List<Registration> registrations) {
    this.registrations = List.copyOf(registrations);
  }

  /** Whether any plugin asks for this kind of change. */
  boolean concerns(ClusterEvent event) {
    return event.isWildcard() || !concerned(event).isEmpty();
  }

  private List<Registration> concerned(ClusterEvent event) {
    return concerned.computeIfAbsent(
        event, e -> registrations.stream().filter(r -> r.event().includes(e)).toList());
  }

  /** Whether a plugin asks for this kind of change. */
  boolean concerns(ClusterEvent event, String plugin) {
    for (Registration registration : concerned(event)) {
      if (registration.plugin().equals(plugin)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether another try is worth it.
   *
   * @param rejectors the plugins that refused the pod; if there are none, it failed for another
   *     reason, and anything may help
   */
  boolean mayHelp(Pod pod, Set<String> rejectors, Change change) {
    if (rejectors.isEmpty()) {
      return true;
    }
    if (change.event().isWildcard()) {
      return change.after() == null || change.isOf(pod);
    }
    for (Registration registration : concerned(change.event())) {
      if (rejectors.contains(registration.plugin()) && registration.hint().mayHelp(pod, change)) {
        return true;
      }
    }
    return false;
  }
}
