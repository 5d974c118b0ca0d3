// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.queue;

import io.exaplane.scheduler.model.Pod;
import java.util.List;
import java.util.Set;

/** What a profile's plugins hope from changes. Immutable. */
public final class Hints {
  private final List<Registration> registrations;

  public Hints(List<Registration> registrations) {
    this.registrations = List.copyOf(registrations);
  }

  /** Whether any plugin asks for this kind of change. */
  boolean concerns(ClusterEvent event) {
    if (event.isWildcard()) {
      return true;
    }
    for (Registration registration : registrations) {
      if (registration.event().includes(event)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a plugin asks for this kind of change. */
  boolean concerns(ClusterEvent event, String plugin) {
    for (Registration registration : registrations) {
      if (registration.plugin().equals(plugin) && registration.event().includes(event)) {
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
    for (Registration registration : registrations) {
      if (rejectors.contains(registration.plugin())
          && registration.event().includes(change.event())
          && registration.hint().mayHelp(pod, change)) {
        return true;
      }
    }
    return false;
  }
}
