// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.queue;

import io.exaplane.scheduler.engine.event.Change;
import io.exaplane.scheduler.engine.event.ClusterEvent;
import io.exaplane.scheduler.engine.event.Resource;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Node;
import io.exaplane.scheduler.engine.model.ObjectSink;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.Pod;
import io.exaplane.scheduler.engine.model.PodGroup;
import io.exaplane.scheduler.engine.model.device.DeviceClass;
import io.exaplane.scheduler.engine.model.device.DeviceTaintRule;
import io.exaplane.scheduler.engine.model.device.ResourceClaim;
import io.exaplane.scheduler.engine.model.device.ResourceSlice;
import io.exaplane.scheduler.engine.model.volume.Claim;
import io.exaplane.scheduler.engine.model.volume.CsiNode;
import io.exaplane.scheduler.engine.model.volume.PersistentVolume;
import io.exaplane.scheduler.engine.model.volume.StorageCapacity;
import io.exaplane.scheduler.engine.model.volume.StorageClass;
import io.exaplane.scheduler.engine.model.volume.VolumeAttachment;
import io.exaplane.scheduler.engine.plugin.Grant;
import io.exaplane.scheduler.engine.plugin.VolumePlan;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Takes what the API server tells and what was decided, and keeps cluster and queue in step. For
 * the cluster's thread. Source: pkg/scheduler/eventhandlers.go and schedule_one.go.
 *
 * <p>Longer than others: {@link ObjectSink} has two methods for each kind of object, and all of
 * them change the same cluster and tell the same queue.
 */
public final class Intake implements ObjectSink {
  private static final Predicate<Pod> EVERYBODY = pod -> true;
  private static final Comparator<QueuedPod> GROUP_ORDER =
      Comparator.<QueuedPod>comparingInt(pod -> pod.pod().spec().priority())
          .reversed()
          .thenComparingLong(pod -> pod.firstTurn);

  private final Cluster cluster;
  private final SchedulingQueue queue;
  private final Set<String> schedulerNames;

  /** By key, the uids of pods that are on a node by a decision that the API server has not told. */
  private final Map<String, String> assumed = new HashMap<>();

  /** Pods as the API server told them last, where the cluster knows more. */
  private final Map<String, Pod> told = new HashMap<>();

  /**
   * By uid of a pod that is on its way to a node, until the API server tells that it is there or
   * somebody that it is not, what is kept for its claims.
   */
  private final Map<String, Held> held = new HashMap<>();

  private long nowNs;

  private record Held(List<Grant> grants, Runnable releaseVolumes) {}

  /** Decides about the pods that name one of these schedulers. */
  public Intake(Cluster cluster, SchedulingQueue queue, Set<String> schedulerNames) {
    this.cluster = cluster;
    this.queue = queue;
    this.schedulerNames = Set.copyOf(schedulerNames);
    cluster.groups().countOnly(schedulerNames);
  }

  /** Says when what follows happens, in nanoseconds since 1970. */
  public Intake at(long timeNs) {
    nowNs = timeNs;
    cluster.devices().tick(timeNs);
    return this;
  }

  /** A pod that has ended is gone. */
  @Override
  public void put(Pod pod) {
    PlacedPod known = cluster.pod(pod.key());
    if (pod.finished()) {
      removePod(pod.key());
    } else if (known == null) {
      added(pod);
    } else if (isAnother(known.pod(), pod)) {
      removePod(pod.key());
      added(pod);
    } else {
      changed(told.getOrDefault(pod.key(), known.pod()), pod);
    }
  }

  /** Whether a pod was deleted and made anew, and nobody told: none leaves its node. */
  private boolean isAnother(Pod before, Pod after) {
    boolean other =
        !before.uid().isEmpty() && !after.uid().isEmpty() && !before.uid().equals(after.uid());
    boolean left =
        !before.nodeName().isEmpty()
            && after.nodeName().isEmpty()
            && !assumed.containsKey(after.key());
    return other || left;
  }

  private void added(Pod pod) {
    keep(pod);
    if (!pod.nodeName().isEmpty()) {
      tell(Resource.ASSIGNED_POD, ClusterEvent.ADD, null, pod);
    } else if (isOurs(pod)) {
      queue.add(pod, nowNs);
      if (queue.hasGroups()) {
        tell(Resource.UNSCHEDULABLE_POD, ClusterEvent.ADD, null, pod);
      }
    }
  }

  private void changed(Pod before, Pod after) {
    if (assumed.containsKey(after.key()) && after.nodeName().isEmpty()) {
      told.put(after.key(), after);
      if (after.spec().terminating() && !before.spec().terminating()) {
        forget(after);
        if (queue.waitsWithGroup(after)) {
          cluster.groups().leaveOut(after);
        }
      }
      return;
    }
    held.remove(assumed.remove(after.key()));
    keepNomination(before, after);
    if (!before.nodeName().isEmpty()) {
      Changes.of(before, after).forEach(this::happened);
    } else if (!after.nodeName().isEmpty()) {
      tell(Resource.ASSIGNED_POD, ClusterEvent.ADD, null, after);
      queue.delete(before, nowNs);
    } else if (isOurs(after)) {
      queue.update(before, after, nowNs);
      if (!before.nominatedNode().equals(after.nominatedNode())) {
        waitsNoMore(before);
      }
    }
  }

  /** What was decided about a nomination stays until the API server tells of one. */
  private void keepNomination(Pod before, Pod after) {
    String decided = cluster.pod(after.key()).pod().nominatedNode();
    told.remove(after.key());
    keep(after);
    boolean untold = before.nominatedNode().isEmpty() && after.nominatedNode().isEmpty();
    if (untold && after.nodeName().isEmpty() && !decided.isEmpty()) {
      nominate(after.key(), decided);
    }
  }

  /** Places are kept for pods of these schedulers only. */
  private void keep(Pod pod) {
    cluster.groups().count(pod);
    boolean others = pod.nodeName().isEmpty() && !isOurs(pod);
    cluster.putPod(others ? pod.nominatedTo("") : pod);
  }

  /** A pod waits for a node from now on, or for none if the name is empty. */
  public void nominate(String key, String node) {
    PlacedPod known = cluster.pod(key);
    if (known != null && known.pod().nodeName().isEmpty()) {
      told.putIfAbsent(key, known.pod());
      cluster.nominate(known, node);
    }
  }

  @Override
  public void removePod(String key) {
    PlacedPod known = cluster.pod(key);
    if (known == null) {
      return;
    }
    Pod pod = known.pod();
    Pod toldLast = told.remove(key);
    assumed.remove(key);
    Pod before = toldLast == null ? pod : toldLast;
    if (before.nodeName().isEmpty() && isOurs(before)) {
      queue.delete(before, nowNs);
    }
    cluster.groups().count(pod);
    cluster.removePod(key);
    if (!pod.nodeName().isEmpty()) {
      tell(Resource.ASSIGNED_POD, ClusterEvent.DELETE, pod, null);
    } else if (isOurs(pod)) {
      waitsNoMore(before);
    }
  }

  /** The place that a node kept for a pod is free again, for those that are not more important. */
  private void waitsNoMore(Pod pod) {
    if (!pod.nominatedNode().isEmpty()) {
      queue.happened(
          Changes.change(Resource.ASSIGNED_POD, ClusterEvent.DELETE, pod, null),
          other -> other.spec().priority() <= pod.spec().priority(),
          nowNs);
    }
  }

  /**
   * Those whose turn it is, in flight from now on: a pod, or with it all pods of its group that
   * nothing keeps from their turn, the most important first. Source: 1.36's
   * schedule_one_podgroup.go, podGroupInfoForPod. If {@link SchedulingQueue#waitsWithGroup}, {@link
   * #ended} has to follow.
   *
   * @return none if it is nobody's turn
   */
  public List<QueuedPod> pop() {
    QueuedPod first = queue.pop();
    if (first == null || !queue.takesAlong(first.pod())) {
      return first == null ? List.of() : first.together();
    }
    List<QueuedPod> pods = new ArrayList<>(List.of(first));
    for (PlacedPod other : cluster.groups().waiting(first.pod())) {
      boolean isFirst = other.pod().key().equals(first.pod().key());
      QueuedPod popped = isFirst || !queue.takesAlong(other.pod()) ? null : queue.pop(other.pod());
      if (popped != null) {
        pods.add(popped);
      }
    }
    pods.sort(GROUP_ORDER);
    return pods;
  }

  /**
   * A pod that was in flight goes to a node, and takes its place there as it was when its turn
   * began: what the API server has told of it since counts once it is there, or is not.
   *
   * @param grants what its claims of devices are given; kept for them until the API server tells
   *     that they have it, or the binding fails
   * @param volumes what its claims of volumes get; kept for them likewise
   * @return false if it is gone meanwhile, or on a node; otherwise {@link #bound} or {@link
   *     #bindingFailed} has to follow
   */
  public boolean assume(QueuedPod pod, int node, List<Grant> grants, VolumePlan volumes) {
    queue.done(pod);
    String key = pod.pod().key();
    PlacedPod known = cluster.pod(key);
    boolean waits =
        known != null
            && known.pod().nodeName().isEmpty()
            && known.pod().uid().equals(pod.pod().uid());
    if (waits) {
      told.putIfAbsent(key, known.pod());
      assumed.put(key, pod.pod().uid());
      cluster.bind(known, pod.pod(), node);
      grants.forEach(grant -> cluster.devices().reserve(grant.claim(), grant.allocation()));
      Runnable release = volumes.keep(cluster.volumes());
      held.put(pod.pod().uid(), new Held(List.copyOf(grants), release));
    }
    return waits;
  }

  /**
   * It was decided about the pods of a group that had their turn together: each was {@link #assume
   * assumed}, {@link #refused}, or is done.
   */
  public void ended(String group, GroupEnd end) {
    queue.ended(group, end, nowNs);
  }

  /** A pod that was to go to a node got there; the API server may tell of it before or after. */
  public void bound(QueuedPod pod) {
    held.remove(pod.pod().uid());
  }

  /**
   * A pod that was to go to a node did not get there: it takes nothing any more, and waits.
   *
   * @param allocated uids of claims that got their devices all the same; these are theirs until the
   *     API server tells so, and then says what becomes of them
   */
  public void bindingFailed(QueuedPod pod, String node, Set<String> allocated) {
    Held kept = held.remove(pod.pod().uid());
    if (kept != null) {
      for (Grant grant : kept.grants()) {
        if (!allocated.contains(grant.claim().uid())) {
          cluster.devices().release(grant.claim().uid());
        }
      }
      kept.releaseVolumes().run();
    }
    String key = pod.pod().key();
    if (pod.pod().uid().equals(assumed.get(key))) {
      forget(told.get(key));
    } else if (kept != null) {
      // It is gone or forgotten already; kube-scheduler tells once more that it has left its node.
      tell(Resource.ASSIGNED_POD, ClusterEvent.DELETE, pod.pod().on(node), null);
    }
    refused(pod, List.of());
  }

  /** A pod that is assumed takes nothing any more. */
  private void forget(Pod now) {
    Pod onNode = cluster.pod(now.key()).pod();
    assumed.remove(now.key());
    cluster.putPod(now.nominatedTo(""));
    tell(Resource.ASSIGNED_POD, ClusterEvent.DELETE, onNode, null);
  }

  /**
   * A pod that was in flight found no node.
   *
   * @param plugins that refused it; none if the attempt failed for another reason
   */
  public void refused(QueuedPod pod, Collection<String> plugins) {
    PlacedPod known = cluster.pod(pod.pod().key());
    Pod now = known == null ? null : told.getOrDefault(pod.pod().key(), known.pod());
    if (now == null || !now.nodeName().isEmpty() || !now.uid().equals(pod.pod().uid())) {
      queue.done(pod);
    } else {
      queue.giveBack(pod, now, plugins, nowNs);
    }
  }

  private boolean isOurs(Pod pod) {
    return schedulerNames.contains(pod.spec().schedulerName());
  }

  @Override
  public void put(Node node) {
    int id = cluster.nodeId(node.name());
    Node before = id < 0 ? null : cluster.nodes().node(id);
    cluster.putNode(node);
    if (before == null) {
      tell(Resource.NODE, ClusterEvent.ADD, null, node);
    } else {
      Changes.of(before, node).forEach(this::happened);
    }
  }

  @Override
  public void removeNode(String name) {
    int id = cluster.nodeId(name);
    if (id >= 0) {
      tell(Resource.NODE, ClusterEvent.DELETE, cluster.nodes().node(id), null);
      cluster.removeNode(name);
    }
  }

  @Override
  public void put(PodGroup group) {
    Consumer<PodGroup> known =
        now -> {
          cluster.groups().put(now);
          queue.put(now, nowNs);
        };
    put(Resource.POD_GROUP, cluster.groups().group(group.key()), group, known);
  }

  @Override
  public void removePodGroup(String key) {
    cluster.groups().remove(key);
    queue.removeGroup(key);
  }

  @Override
  public void put(Claim claim) {
    Claim before = cluster.volumes().claim(claim.namespace(), claim.name());
    put(Resource.CLAIM, before, claim, cluster.volumes()::putClaim);
  }

  @Override
  public void put(PersistentVolume volume) {
    PersistentVolume before = cluster.volumes().volume(volume.name());
    put(Resource.PERSISTENT_VOLUME, before, volume, cluster.volumes()::putVolume);
  }

  @Override
  public void put(StorageClass storageClass) {
    StorageClass before = cluster.volumes().storageClass(storageClass.name());
    put(Resource.STORAGE_CLASS, before, storageClass, cluster.volumes()::putClass);
  }

  @Override
  public void put(CsiNode node) {
    CsiNode before = cluster.volumes().node(node.name());
    put(Resource.CSI_NODE, before, node, cluster.volumes()::putNode);
  }

  @Override
  public void put(StorageCapacity capacity) {
    StorageCapacity before = cluster.volumes().capacity(capacity.key());
    put(Resource.STORAGE_CAPACITY, before, capacity, cluster.volumes()::putCapacity);
  }

  @Override
  public void put(DeviceClass deviceClass) {
    DeviceClass before = cluster.surroundings().deviceClass(deviceClass.name());
    put(Resource.DEVICE_CLASS, before, deviceClass, cluster.surroundings()::putDeviceClass);
  }

  @Override
  public void put(ResourceSlice slice) {
    ResourceSlice before = cluster.devices().slice(slice.name());
    put(Resource.RESOURCE_SLICE, before, slice, cluster.devices()::putSlice);
  }

  @Override
  public void put(ResourceClaim claim) {
    ResourceClaim before = cluster.devices().claim(claim.namespace(), claim.name());
    put(Resource.RESOURCE_CLAIM, before, claim, cluster.devices()::putClaim);
  }

  @Override
  public void removeAttachment(String name) {
    VolumeAttachment gone = cluster.volumes().removeAttachment(name);
    if (gone != null) {
      tell(Resource.VOLUME_ATTACHMENT, ClusterEvent.DELETE, gone, null);
    }
  }

  @Override
  public void removeResourceClaim(String key) {
    ResourceClaim gone = cluster.devices().claim(key);
    if (gone != null) {
      cluster.devices().removeClaim(key);
      tell(Resource.RESOURCE_CLAIM, ClusterEvent.DELETE, gone, null);
    }
  }

  @Override
  public void put(DeviceTaintRule rule) {
    cluster.devices().putRule(rule).forEach(this::isTaintedOtherwise);
  }

  @Override
  public void removeTaintRule(String name) {
    cluster.devices().removeRule(name).forEach(this::isTaintedOtherwise);
  }

  private void isTaintedOtherwise(ResourceSlice slice) {
    tell(Resource.RESOURCE_SLICE, ClusterEvent.UPDATE, slice, slice);
  }

  private <T> void put(Resource resource, T before, T after, Consumer<T> to) {
    to.accept(after);
    tell(resource, before == null ? ClusterEvent.ADD : ClusterEvent.UPDATE, before, after);
  }

  private void tell(Resource resource, int action, Object before, Object after) {
    happened(Changes.change(resource, action, before, after));
  }

  private void happened(Change change) {
    queue.happened(change, EVERYBODY, nowNs);
  }
}
