// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import static io.exaplane.scheduler.engine.event.ClusterEvent.ADD;
import static io.exaplane.scheduler.engine.event.ClusterEvent.NODE_TAINT;

import io.exaplane.scheduler.engine.event.ClusterEvent;
import io.exaplane.scheduler.engine.event.Hint;
import io.exaplane.scheduler.engine.event.Registration;
import io.exaplane.scheduler.engine.event.Resource;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Version;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes down which changes may help the pods that plugins of a profile refused. What each plugin
 * asks for is in its row of {@link Catalogue}. One thread.
 */
public final class EventRegistrations {
  private final Profile profile;
  private final Cluster cluster;
  private final List<Registration> registrations = new ArrayList<>();

  private EventRegistrations(Profile profile, Cluster cluster) {
    this.profile = profile;
    this.cluster = cluster;
  }

  /** What the plugins of a profile hope for, one by one. */
  public static List<Registration> of(Profile profile, Cluster cluster) {
    EventRegistrations all = new EventRegistrations(profile, cluster);
    if (profile.respectsGates()) {
      Catalogue.hopes(Catalogue.GATES).register(all, null);
    }
    if (profile.schedulesGangs()) {
      Catalogue.hopes(GangScheduling.NAME).register(all, null);
    }
    for (Plugin plugin : profile.filters()) {
      Catalogue.hopes(plugin.name()).register(all, plugin);
    }
    if (!all.isTargeted()) {
      all.letTaintsHelp();
    }
    return List.copyOf(all.registrations);
  }

  Cluster cluster() {
    return cluster;
  }

  Version version() {
    return profile.version();
  }

  void on(String plugin, Resource resource, int actions, Hint hint) {
    registrations.add(new Registration(plugin, new ClusterEvent(resource, actions), hint));
  }

  /** What others than the pod itself may help with: from 1.37 on, those on nodes alone. */
  void onOthers(String plugin, int actions, Hint hint) {
    on(plugin, isTargeted() ? Resource.ASSIGNED_POD : Resource.POD, actions, hint);
  }

  /**
   * Updates of the pod itself. From 1.37 on nobody asks whose they are: pods that are in flight
   * meanwhile take them for their own.
   */
  void onOwn(String plugin, int actions, Hint hint) {
    if (isTargeted()) {
      on(plugin, Resource.TARGET_POD, actions, hint);
    } else {
      Hint ofItself = (pod, change) -> change.isOf(pod) && hint.mayHelp(pod, change);
      on(plugin, Resource.POD, actions, ofItself);
    }
  }

  boolean isTargeted() {
    return profile.version().atLeast(Version.V1_37);
  }

  /**
   * Until 1.36, kube-scheduler lets any change of taints help where a plugin asks for new nodes but
   * not for taints: a node could have been new to it only then. Source: pkg/scheduler/scheduler.go,
   * buildQueueingHintMap.
   */
  private void letTaintsHelp() {
    ClusterEvent added = new ClusterEvent(Resource.NODE, ADD);
    for (Plugin plugin : profile.filters()) {
      boolean nodes = false;
      boolean taints = false;
      for (Registration registration : List.copyOf(registrations)) {
        boolean ofNodes =
            registration.plugin().equals(plugin.name())
                && registration.event().resource() == Resource.NODE;
        nodes |= ofNodes && (registration.event().actions() & added.actions()) != 0;
        taints |= ofNodes && (registration.event().actions() & NODE_TAINT) != 0;
      }
      if (nodes && !taints) {
        on(plugin.name(), Resource.NODE, NODE_TAINT, Hint.ALWAYS);
      }
    }
  }
}
