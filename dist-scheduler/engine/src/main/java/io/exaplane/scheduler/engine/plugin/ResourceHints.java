// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.event.Change;
import io.exaplane.scheduler.engine.model.Amounts;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.HostPort;
import io.exaplane.scheduler.engine.model.Node;
import io.exaplane.scheduler.engine.model.Pod;
import io.exaplane.scheduler.engine.model.device.DeviceClass;
import java.util.Map;
import java.util.function.Predicate;

/** What pods hope for that lacked resources or ports. */
final class ResourceHints {
  private final Cluster cluster;
  private final NodeResourcesFit plugin;

  ResourceHints(Cluster cluster, NodeResourcesFit plugin) {
    this.cluster = cluster;
    this.plugin = plugin;
  }

  /** NodeResourcesFit: a resource that the pod asks for stands for devices now. */
  static boolean isDeviceNow(Pod pod, Change change) {
    DeviceClass before = change.before(DeviceClass.class);
    DeviceClass after = change.after(DeviceClass.class);
    Map<String, Long> wanted = pod.spec().requests().toFit().scalars();
    if (before == null && wanted.containsKey(after.implicitResource())) {
      return true;
    }
    boolean other = before == null || !before.extendedResource().equals(after.extendedResource());
    return other && wanted.containsKey(after.extendedResource());
  }

  /** Whether nothing became free because the pod took nothing. */
  static boolean tookNothing(Pod pod) {
    return pod.nodeName().isEmpty() && pod.nominatedNode().isEmpty();
  }

  /** NodeResourcesFit: whatever went took something. */
  static boolean freed(Pod pod, Change change) {
    return !tookNothing(change.before(Pod.class));
  }

  /** NodeResourcesFit: a pod asks for less of something that this one needs. */
  static boolean scaledDown(Pod pod, Change change) {
    if (change.after(Pod.class).nodeName().isEmpty()) {
      return false;
    }
    Amounts wanted = pod.spec().requests().placed();
    Amounts before = change.before(Pod.class).spec().requests().placed();
    Amounts after = change.after(Pod.class).spec().requests().placed();
    return (wanted.milliCpu() > 0 && before.milliCpu() > after.milliCpu())
        || (wanted.memoryBytes() > 0 && before.memoryBytes() > after.memoryBytes())
        || (wanted.ephemeralStorageBytes() > 0
            && before.ephemeralStorageBytes() > after.ephemeralStorageBytes())
        || anyScalar(wanted, name -> amount(before, name) > amount(after, name));
  }

  /** NodeResourcesFit: an empty node of this size would do, and has more than before. */
  boolean hasRoom(Pod pod, Change change) {
    Node before = change.before(Node.class);
    Node after = change.after(Node.class);
    Amounts wanted = pod.spec().requests().toFit();
    if (!fits(wanted, after)) {
      return false;
    }
    if (before == null || after.allowedPods() > before.allowedPods()) {
      return true;
    }
    Amounts has = after.allocatable();
    Amounts had = before.allocatable();
    return (wanted.milliCpu() > 0 && has.milliCpu() > had.milliCpu())
        || (wanted.memoryBytes() > 0 && has.memoryBytes() > had.memoryBytes())
        || (wanted.ephemeralStorageBytes() > 0
            && has.ephemeralStorageBytes() > had.ephemeralStorageBytes())
        || anyScalar(
            wanted, name -> amount(has, name) > amount(had, name) || isLeftToDevices(name, has));
  }

  private boolean isLeftToDevices(String scalar, Amounts has) {
    return plugin.leavesToDevices()
        && amount(has, scalar) == 0
        && cluster.surroundings().classOfResource(scalar) != null;
  }

  private boolean fits(Amounts wanted, Node node) {
    Amounts has = node.allocatable();
    return node.allowedPods() >= 1
        && (wanted.milliCpu() <= 0 || wanted.milliCpu() <= has.milliCpu())
        && (wanted.memoryBytes() <= 0 || wanted.memoryBytes() <= has.memoryBytes())
        && (wanted.ephemeralStorageBytes() <= 0
            || wanted.ephemeralStorageBytes() <= has.ephemeralStorageBytes())
        && !anyScalar(
            wanted,
            name -> amount(wanted, name) > amount(has, name) && !isLeftToDevices(name, has));
  }

  private static boolean anyScalar(Amounts wanted, Predicate<String> which) {
    for (Map.Entry<String, Long> scalar : wanted.scalars().entrySet()) {
      if (scalar.getValue() != 0 && which.test(scalar.getKey())) {
        return true;
      }
    }
    return false;
  }

  private static long amount(Amounts amounts, String scalar) {
    return amounts.scalars().getOrDefault(scalar, 0L);
  }

  /** NodePorts: a pod that had one of this one's ports went. */
  static boolean freedPort(Pod pod, Change change) {
    Pod gone = change.before(Pod.class);
    if (tookNothing(gone)) {
      return false;
    }
    for (HostPort wanted : pod.spec().hostPorts()) {
      for (HostPort taken : gone.spec().hostPorts()) {
        if (wanted.conflictsWith(taken)) {
          return true;
        }
      }
    }
    return false;
  }
}
