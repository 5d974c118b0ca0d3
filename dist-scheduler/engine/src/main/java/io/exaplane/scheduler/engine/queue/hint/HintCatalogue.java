// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.queue.hint;

import static io.exaplane.scheduler.engine.queue.ClusterEvent.ADD;
import static io.exaplane.scheduler.engine.queue.ClusterEvent.DELETE;
import static io.exaplane.scheduler.engine.queue.ClusterEvent.NODE_ALLOCATABLE;
import static io.exaplane.scheduler.engine.queue.ClusterEvent.NODE_DECLARED_FEATURE;
import static io.exaplane.scheduler.engine.queue.ClusterEvent.NODE_LABEL;
import static io.exaplane.scheduler.engine.queue.ClusterEvent.NODE_TAINT;
import static io.exaplane.scheduler.engine.queue.ClusterEvent.POD_CLAIMS_MADE;
import static io.exaplane.scheduler.engine.queue.ClusterEvent.POD_GATES_ELIMINATED;
import static io.exaplane.scheduler.engine.queue.ClusterEvent.POD_LABEL;
import static io.exaplane.scheduler.engine.queue.ClusterEvent.POD_SCALE_DOWN;
import static io.exaplane.scheduler.engine.queue.ClusterEvent.POD_TOLERATION;
import static io.exaplane.scheduler.engine.queue.ClusterEvent.UPDATE;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Pod;
import io.exaplane.scheduler.engine.model.PodGroup;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.plugin.DynamicResources;
import io.exaplane.scheduler.engine.plugin.GangScheduling;
import io.exaplane.scheduler.engine.plugin.NodeAffinity;
import io.exaplane.scheduler.engine.plugin.NodeResourcesFit;
import io.exaplane.scheduler.engine.plugin.Plugin;
import io.exaplane.scheduler.engine.plugin.PodTopologySpread;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.queue.Change;
import io.exaplane.scheduler.engine.queue.ClusterEvent;
import io.exaplane.scheduler.engine.queue.Gate;
import io.exaplane.scheduler.engine.queue.Grouping;
import io.exaplane.scheduler.engine.queue.Hint;
import io.exaplane.scheduler.engine.queue.Hints;
import io.exaplane.scheduler.engine.queue.Registration;
import io.exaplane.scheduler.engine.queue.Resource;
import io.exaplane.scheduler.engine.queue.Rules;
import java.util.ArrayList;
import java.util.List;

/**
 * For each plugin, which changes may help the pods that it refused. Source: EventsToRegister of the
 * plugins of kube-scheduler.
 */
public final class HintCatalogue {
  private final Profile profile;
  private final Cluster cluster;
  private final List<Registration> registrations = new ArrayList<>();

  private HintCatalogue(Profile profile, Cluster cluster) {
    this.profile = profile;
    this.cluster = cluster;
  }

  /** What the plugins of a profile say about pods that wait. */
  public static Rules of(Profile profile, Cluster cluster) {
    return rules(profile, cluster, new Hints(registrations(profile, cluster)));
  }

  /** The same with other hints. */
  public static Rules rules(Profile profile, Cluster cluster, Hints hints) {
    List<Gate> gates = new ArrayList<>();
    if (profile.respectsGates()) {
      gates.add(Gate.SCHEDULING_GATES);
    }
    if (profile.findsDevices()) {
      gates.add(Gate.claims(cluster.devices()));
    }
    if (profile.schedulesGangs()) {
      gates.add(Gate.gangs(cluster.groups()));
    }
    boolean withGates = profile.version().atLeast(Version.V1_37);
    return new Rules(hints, gates, withGates, grouping(profile));
  }

  private static Grouping grouping(Profile profile) {
    if (!profile.schedulesGangs()) {
      return Grouping.NONE;
    }
    return profile.version().atLeast(Version.V1_37) ? Grouping.WHOLE : Grouping.PODS;
  }

  /** What the plugins of a profile hope for, one by one. */
  public static List<Registration> registrations(Profile profile, Cluster cluster) {
    HintCatalogue catalogue = new HintCatalogue(profile, cluster);
    if (profile.respectsGates()) {
      String gates = Gate.SCHEDULING_GATES.plugin();
      catalogue.onOwn(gates, POD_GATES_ELIMINATED, Hint.ALWAYS);
    }
    if (profile.schedulesGangs()) {
      catalogue.on(GangScheduling.NAME, Resource.POD, ADD, HintCatalogue::joinsGroup);
      catalogue.on(GangScheduling.NAME, Resource.POD_GROUP, ADD, HintCatalogue::isGroup);
      if (catalogue.isTargeted()) {
        catalogue.on(GangScheduling.NAME, Resource.POD_GROUP, UPDATE, HintCatalogue::needsFewer);
      }
    }
    profile.filters().forEach(catalogue::register);
    if (!catalogue.isTargeted()) {
      catalogue.letTaintsHelp();
    }
    return List.copyOf(catalogue.registrations);
  }

  private void on(String plugin, Resource resource, int actions, Hint hint) {
    registrations.add(new Registration(plugin, new ClusterEvent(resource, actions), hint));
  }

  /** What others than the pod itself may help with: from 1.37 on, those on nodes alone. */
  private void onOthers(String plugin, int actions, Hint hint) {
    on(plugin, isTargeted() ? Resource.ASSIGNED_POD : Resource.POD, actions, hint);
  }

  /**
   * Updates of the pod itself. From 1.37 on nobody asks whose they are: pods that are in flight
   * meanwhile take them for their own.
   */
  private void onOwn(String plugin, int actions, Hint hint) {
    if (isTargeted()) {
      on(plugin, Resource.TARGET_POD, actions, hint);
    } else {
      Hint ofItself = (pod, change) -> change.isOf(pod) && hint.mayHelp(pod, change);
      on(plugin, Resource.POD, actions, ofItself);
    }
  }

  private boolean isTargeted() {
    return profile.version().atLeast(Version.V1_37);
  }

  private void register(Plugin plugin) {
    String name = plugin.name();
    switch (name) {
      case "NodeUnschedulable" -> {
        on(name, Resource.NODE, ADD | NODE_TAINT, NodeHints::takesPods);
        onOwn(name, POD_TOLERATION, NodeHints::toleratesCordon);
      }
      case "NodeName" -> on(name, Resource.NODE, ADD, Hint.ALWAYS);
      case "TaintToleration" -> {
        on(name, Resource.NODE, ADD | NODE_TAINT, NodeHints::untainted);
        onOwn(name, POD_TOLERATION, Hint.ALWAYS);
      }
      case "NodeAffinity" -> {
        NodeAffinity affinity = (NodeAffinity) plugin;
        on(
            name,
            Resource.NODE,
            ADD | NODE_LABEL,
            (pod, change) -> NodeHints.matches(pod, affinity.addedRequired(), change));
      }
      case "NodePorts" -> {
        onOthers(name, DELETE, ResourceHints::freedPort);
        on(name, Resource.NODE, ADD, Hint.ALWAYS);
      }
      case "NodeResourcesFit" -> {
        onOthers(name, DELETE | POD_SCALE_DOWN, HintCatalogue::fitHelped);
        onOwn(name, POD_SCALE_DOWN, Hint.ALWAYS);
        NodeResourcesFit fit = (NodeResourcesFit) plugin;
        ResourceHints hints = new ResourceHints(cluster, fit);
        on(name, Resource.NODE, ADD | NODE_ALLOCATABLE, hints::hasRoom);
        if (fit.leavesToDevices()) {
          on(name, Resource.DEVICE_CLASS, ADD | UPDATE, ResourceHints::isDeviceNow);
        }
      }
      case DynamicResources.NAME -> {
        DeviceHints hints = new DeviceHints(cluster.devices());
        on(name, Resource.NODE, ADD | NODE_LABEL | NODE_ALLOCATABLE, Hint.ALWAYS);
        int claims = isTargeted() ? ADD | UPDATE | DELETE : ADD | UPDATE;
        on(name, Resource.RESOURCE_CLAIM, claims, hints::claimHelps);
        onOwn(name, POD_CLAIMS_MADE, hints::claimsAreThere);
        on(name, Resource.DEVICE_CLASS, ADD | UPDATE, Hint.ALWAYS);
        on(name, Resource.RESOURCE_SLICE, ADD | UPDATE, Hint.ALWAYS);
      }
      case "PodTopologySpread" -> {
        SpreadHints hints = new SpreadHints((PodTopologySpread) plugin, cluster, profile.version());
        onOthers(name, ADD | POD_LABEL | DELETE, hints::podHelps);
        onOwn(name, POD_LABEL | POD_TOLERATION, hints::ownUpdateHelps);
        on(name, Resource.NODE, ADD | DELETE | NODE_LABEL | NODE_TAINT, hints::nodeHelps);
      }
      case "InterPodAffinity" -> {
        NeighbourHints hints = new NeighbourHints(profile.version());
        onOthers(name, ADD | POD_LABEL | DELETE, hints::podHelps);
        onOwn(name, POD_LABEL, hints::ownUpdateHelps);
        on(name, Resource.NODE, ADD | NODE_LABEL, hints::nodeHelps);
      }
      case "NodeDeclaredFeatures" -> {
        on(name, Resource.NODE, ADD | NODE_DECLARED_FEATURE, NodeHints::declaresOthers);
        onOwn(name, UPDATE, NodeHints::needsOthers);
      }
      default -> registerVolumes(name);
    }
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

  private void registerVolumes(String name) {
    switch (name) {
      case "VolumeRestrictions" -> {
        onOthers(name, DELETE, VolumeHints::freedDisk);
        on(name, Resource.NODE, ADD, Hint.ALWAYS);
        on(name, Resource.CLAIM, ADD, VolumeHints::ownClaim);
      }
      case "NodeVolumeLimits" -> {
        on(name, Resource.CSI_NODE, ADD, Hint.ALWAYS);
        on(name, Resource.CSI_NODE, UPDATE, VolumeHints::takesMore);
        onOthers(name, DELETE, VolumeHints::freedVolume);
        on(name, Resource.CLAIM, ADD, VolumeHints::ownOrEphemeralClaim);
        on(name, Resource.VOLUME_ATTACHMENT, DELETE, VolumeHints::detached);
      }
      case "VolumeBinding" -> {
        on(name, Resource.PERSISTENT_VOLUME, ADD | UPDATE, Hint.ALWAYS);
        on(name, Resource.NODE, ADD | NODE_LABEL, Hint.ALWAYS);
        on(name, Resource.STORAGE_CLASS, ADD | UPDATE, VolumeHints::reachesElsewhere);
        on(name, Resource.CLAIM, ADD | UPDATE, VolumeHints::ownOrEphemeralClaim);
        on(name, Resource.CSI_NODE, ADD | UPDATE, VolumeHints::migrated);
        on(name, Resource.STORAGE_CAPACITY, ADD | UPDATE, VolumeHints::hasMoreRoom);
      }
      case "VolumeZone" -> {
        on(name, Resource.STORAGE_CLASS, ADD, VolumeHints::waitsForConsumer);
        on(name, Resource.CLAIM, ADD | UPDATE, VolumeHints::ownClaim);
        on(name, Resource.PERSISTENT_VOLUME, ADD | UPDATE, VolumeHints::movedZone);
        on(name, Resource.NODE, ADD | NODE_LABEL, Hint.ALWAYS);
      }
      default ->
          throw new IllegalStateException(
              name + " refuses pods: add to this class what may help them");
    }
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
