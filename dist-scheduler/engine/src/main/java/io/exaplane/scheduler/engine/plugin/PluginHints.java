// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import static io.exaplane.scheduler.engine.event.ClusterEvent.ADD;
import static io.exaplane.scheduler.engine.event.ClusterEvent.DELETE;
import static io.exaplane.scheduler.engine.event.ClusterEvent.NODE_ALLOCATABLE;
import static io.exaplane.scheduler.engine.event.ClusterEvent.NODE_DECLARED_FEATURE;
import static io.exaplane.scheduler.engine.event.ClusterEvent.NODE_LABEL;
import static io.exaplane.scheduler.engine.event.ClusterEvent.NODE_TAINT;
import static io.exaplane.scheduler.engine.event.ClusterEvent.POD_CLAIMS_MADE;
import static io.exaplane.scheduler.engine.event.ClusterEvent.POD_GATES_ELIMINATED;
import static io.exaplane.scheduler.engine.event.ClusterEvent.POD_LABEL;
import static io.exaplane.scheduler.engine.event.ClusterEvent.POD_SCALE_DOWN;
import static io.exaplane.scheduler.engine.event.ClusterEvent.POD_TOLERATION;
import static io.exaplane.scheduler.engine.event.ClusterEvent.UPDATE;

import io.exaplane.scheduler.engine.event.Change;
import io.exaplane.scheduler.engine.event.Hint;
import io.exaplane.scheduler.engine.event.Resource;
import io.exaplane.scheduler.engine.model.Pod;
import io.exaplane.scheduler.engine.model.PodGroup;

/**
 * For each plugin, which changes may help the pods that it refused. Each method is in a row of
 * {@link Catalogue}. Source: EventsToRegister of the plugins of kube-scheduler. Stateless.
 */
final class PluginHints {
  private PluginHints() {}

  static void gates(EventRegistrations events, Plugin plugin) {
    events.onOwn(Catalogue.GATES, POD_GATES_ELIMINATED, Hint.ALWAYS);
  }

  static void gangs(EventRegistrations events, Plugin plugin) {
    events.on(GangScheduling.NAME, Resource.POD, ADD, PluginHints::joinsGroup);
    events.on(GangScheduling.NAME, Resource.POD_GROUP, ADD, PluginHints::isGroup);
    if (events.isTargeted()) {
      events.on(GangScheduling.NAME, Resource.POD_GROUP, UPDATE, PluginHints::needsFewer);
    }
  }

  static void nodeUnschedulable(EventRegistrations events, Plugin plugin) {
    events.on(plugin.name(), Resource.NODE, ADD | NODE_TAINT, NodeHints::takesPods);
    events.onOwn(plugin.name(), POD_TOLERATION, NodeHints::toleratesCordon);
  }

  static void nodeName(EventRegistrations events, Plugin plugin) {
    events.on(plugin.name(), Resource.NODE, ADD, Hint.ALWAYS);
  }

  static void taintToleration(EventRegistrations events, Plugin plugin) {
    events.on(plugin.name(), Resource.NODE, ADD | NODE_TAINT, NodeHints::untainted);
    events.onOwn(plugin.name(), POD_TOLERATION, Hint.ALWAYS);
  }

  static void nodeAffinity(EventRegistrations events, Plugin plugin) {
    NodeAffinity affinity = (NodeAffinity) plugin;
    events.on(
        plugin.name(),
        Resource.NODE,
        ADD | NODE_LABEL,
        (pod, change) -> NodeHints.matches(pod, affinity.addedRequired(), change));
  }

  static void nodePorts(EventRegistrations events, Plugin plugin) {
    events.onOthers(plugin.name(), DELETE, ResourceHints::freedPort);
    events.on(plugin.name(), Resource.NODE, ADD, Hint.ALWAYS);
  }

  static void fit(EventRegistrations events, Plugin plugin) {
    events.onOthers(plugin.name(), DELETE | POD_SCALE_DOWN, PluginHints::fitHelped);
    events.onOwn(plugin.name(), POD_SCALE_DOWN, Hint.ALWAYS);
    NodeResourcesFit fit = (NodeResourcesFit) plugin;
    ResourceHints hints = new ResourceHints(events.cluster(), fit);
    events.on(plugin.name(), Resource.NODE, ADD | NODE_ALLOCATABLE, hints::hasRoom);
    if (fit.leavesToDevices()) {
      events.on(plugin.name(), Resource.DEVICE_CLASS, ADD | UPDATE, ResourceHints::isDeviceNow);
    }
  }

  static void dynamicResources(EventRegistrations events, Plugin plugin) {
    DeviceHints hints = new DeviceHints(events.cluster().devices());
    events.on(plugin.name(), Resource.NODE, ADD | NODE_LABEL | NODE_ALLOCATABLE, Hint.ALWAYS);
    int claims = events.isTargeted() ? ADD | UPDATE | DELETE : ADD | UPDATE;
    events.on(plugin.name(), Resource.RESOURCE_CLAIM, claims, hints::claimHelps);
    events.onOwn(plugin.name(), POD_CLAIMS_MADE, hints::claimsAreThere);
    events.on(plugin.name(), Resource.DEVICE_CLASS, ADD | UPDATE, Hint.ALWAYS);
    events.on(plugin.name(), Resource.RESOURCE_SLICE, ADD | UPDATE, Hint.ALWAYS);
  }

  static void spread(EventRegistrations events, Plugin plugin) {
    SpreadHints hints =
        new SpreadHints((PodTopologySpread) plugin, events.cluster(), events.version());
    events.onOthers(plugin.name(), ADD | POD_LABEL | DELETE, hints::podHelps);
    events.onOwn(plugin.name(), POD_LABEL | POD_TOLERATION, hints::ownUpdateHelps);
    events.on(
        plugin.name(), Resource.NODE, ADD | DELETE | NODE_LABEL | NODE_TAINT, hints::nodeHelps);
  }

  static void interPodAffinity(EventRegistrations events, Plugin plugin) {
    NeighbourHints hints = new NeighbourHints(events.version());
    events.onOthers(plugin.name(), ADD | POD_LABEL | DELETE, hints::podHelps);
    events.onOwn(plugin.name(), POD_LABEL, hints::ownUpdateHelps);
    events.on(plugin.name(), Resource.NODE, ADD | NODE_LABEL, hints::nodeHelps);
  }

  static void declaredFeatures(EventRegistrations events, Plugin plugin) {
    events.on(plugin.name(), Resource.NODE, ADD | NODE_DECLARED_FEATURE, NodeHints::declaresOthers);
    events.onOwn(plugin.name(), UPDATE, NodeHints::needsOthers);
  }

  static void volumeRestrictions(EventRegistrations events, Plugin plugin) {
    events.onOthers(plugin.name(), DELETE, VolumeHints::freedDisk);
    events.on(plugin.name(), Resource.NODE, ADD, Hint.ALWAYS);
    events.on(plugin.name(), Resource.CLAIM, ADD, VolumeHints::ownClaim);
  }

  static void volumeLimits(EventRegistrations events, Plugin plugin) {
    events.on(plugin.name(), Resource.CSI_NODE, ADD, Hint.ALWAYS);
    events.on(plugin.name(), Resource.CSI_NODE, UPDATE, VolumeHints::takesMore);
    events.onOthers(plugin.name(), DELETE, VolumeHints::freedVolume);
    events.on(plugin.name(), Resource.CLAIM, ADD, VolumeHints::ownOrEphemeralClaim);
    events.on(plugin.name(), Resource.VOLUME_ATTACHMENT, DELETE, VolumeHints::detached);
  }

  static void volumeBinding(EventRegistrations events, Plugin plugin) {
    events.on(plugin.name(), Resource.PERSISTENT_VOLUME, ADD | UPDATE, Hint.ALWAYS);
    events.on(plugin.name(), Resource.NODE, ADD | NODE_LABEL, Hint.ALWAYS);
    events.on(plugin.name(), Resource.STORAGE_CLASS, ADD | UPDATE, VolumeHints::reachesElsewhere);
    events.on(plugin.name(), Resource.CLAIM, ADD | UPDATE, VolumeHints::ownOrEphemeralClaim);
    events.on(plugin.name(), Resource.CSI_NODE, ADD | UPDATE, VolumeHints::migrated);
    events.on(plugin.name(), Resource.STORAGE_CAPACITY, ADD | UPDATE, VolumeHints::hasMoreRoom);
  }

  static void volumeZone(EventRegistrations events, Plugin plugin) {
    events.on(plugin.name(), Resource.STORAGE_CLASS, ADD, VolumeHints::waitsForConsumer);
    events.on(plugin.name(), Resource.CLAIM, ADD | UPDATE, VolumeHints::ownClaim);
    events.on(plugin.name(), Resource.PERSISTENT_VOLUME, ADD | UPDATE, VolumeHints::movedZone);
    events.on(plugin.name(), Resource.NODE, ADD | NODE_LABEL, Hint.ALWAYS);
  }

  private static boolean joinsGroup(Pod pod, Change change) {
    Pod added = change.after(Pod.class);
    return !pod.group().isEmpty()
        && added.group().equals(pod.group())
        && added.spec().namespace().equals(pod.spec().namespace());
  }

  private static boolean isGroup(Pod pod, Change change) {
    return !pod.group().isEmpty() && change.after(PodGroup.class).key().equals(pod.groupKey());
  }

  /** From 1.37 on, the number of pods that a gang needs can change. */
  private static boolean needsFewer(Pod pod, Change change) {
    int before = change.before(PodGroup.class).minCount();
    int now = change.after(PodGroup.class).minCount();
    return isGroup(pod, change) && now > 0 && now < before;
  }

  private static boolean fitHelped(Pod pod, Change change) {
    return change.after() == null
        ? ResourceHints.freed(pod, change)
        : ResourceHints.scaledDown(pod, change);
  }
}
