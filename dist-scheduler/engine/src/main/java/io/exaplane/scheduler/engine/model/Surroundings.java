// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import io.exaplane.scheduler.engine.model.device.DeviceClass;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The objects besides nodes and pods that decide something. Belongs to one {@link Cluster} and its
 * thread.
 */
public final class Surroundings {
  private final Map<String, Labels> namespaces = new HashMap<>();
  private final Map<String, DisruptionBudget> budgets = new LinkedHashMap<>();
  private final Map<String, Map<String, Workload>> workloads = new HashMap<>();
  private final Map<String, DeviceClass> deviceClasses = new HashMap<>();
  private final Map<String, DeviceClass> byResource = new HashMap<>();
  private ClusterFollower follower = ClusterFollower.NONE;
  private long version;
  private long budgetsVersion;

  void tell(ClusterFollower hears) {
    follower = hears;
  }

  /** Tells somebody all that there is. */
  public void tellAll(ClusterFollower hears) {
    namespaces.forEach(hears::namespace);
    workloads.values().forEach(each -> each.values().forEach(hears::workloadPut));
    deviceClasses.values().forEach(hears::deviceClassPut);
  }

  /**
   * Changes whenever one of the objects does that plans rest on: what classes were found to mean to
   * each other may be another then.
   */
  public long version() {
    return version;
  }

  public void putNamespace(String name, Labels labels) {
    version++;
    namespaces.put(name, labels);
    follower.namespace(name, labels);
  }

  public void removeNamespace(String name) {
    version++;
    namespaces.remove(name);
    follower.namespace(name, null);
  }

  /** The labels of a namespace; none if it is not known. */
  public Labels namespaceLabels(String name) {
    return namespaces.getOrDefault(name, Labels.NONE);
  }

  /** The namespaces that there are whose labels match. */
  public TreeSet<String> namespaces(LabelSelector selector) {
    TreeSet<String> names = new TreeSet<>();
    namespaces.forEach(
        (name, labels) -> {
          if (selector.matches(labels)) {
            names.add(name);
          }
        });
    return names;
  }

  public void putBudget(DisruptionBudget budget) {
    budgetsVersion++;
    budgets.put(budget.namespace() + "/" + budget.name(), budget);
  }

  /** A budget is gone, by namespace and name. */
  public void removeBudget(String key) {
    budgetsVersion++;
    budgets.remove(key);
  }

  /** Changes whenever a budget does. */
  public long budgetsVersion() {
    return budgetsVersion;
  }

  public Collection<DisruptionBudget> budgets() {
    return budgets.values();
  }

  public void putWorkload(Workload workload) {
    version++;
    workloads
        .computeIfAbsent(workload.namespace(), n -> new LinkedHashMap<>())
        .put(workload.kind() + "/" + workload.name(), workload);
    follower.workloadPut(workload);
  }

  public void removeWorkload(String kind, String namespace, String name) {
    version++;
    Map<String, Workload> inNamespace = workloads.get(namespace);
    if (inNamespace != null) {
      inNamespace.remove(kind + "/" + name);
      if (inNamespace.isEmpty()) {
        workloads.remove(namespace);
      }
    }
    follower.workloadGone(kind, namespace, name);
  }

  /**
   * Which pods a pod belongs together with: those that its Services and the controller that made it
   * select. Source: pkg/scheduler/framework/plugins/helper/spread.go.
   *
   * @return the empty selector if there are none
   */
  public LabelSelector togetherWith(PodSpec pod) {
    LabelSelector selector = LabelSelector.EVERYTHING;
    Map<String, Workload> inNamespace = workloads.getOrDefault(pod.namespace(), Map.of());
    List<Workload> own = new ArrayList<>();
    for (Workload workload : inNamespace.values()) {
      if (workload.kind().equals(Workload.SERVICE) && workload.selector().matches(pod.labels())) {
        own.add(workload);
      }
    }
    if (pod.owner() != null
        && inNamespace.containsKey(pod.owner().kind() + "/" + pod.owner().name())) {
      own.add(inNamespace.get(pod.owner().kind() + "/" + pod.owner().name()));
    }
    for (Workload workload : own) {
      if (!workload.selector().matchesNothing()) {
        selector = selector.and(workload.selector());
      }
    }
    return selector;
  }

  /** A kind of device. */
  public void putDeviceClass(DeviceClass deviceClass) {
    deviceClasses.put(deviceClass.name(), deviceClass);
    assignResources();
    follower.deviceClassPut(deviceClass);
  }

  public void removeDeviceClass(String name) {
    deviceClasses.remove(name);
    assignResources();
    follower.deviceClassGone(name);
  }

  private void assignResources() {
    version++;
    byResource.clear();
    for (DeviceClass one : deviceClasses.values()) {
      byResource.put(one.implicitResource(), one);
      if (!one.extendedResource().isEmpty()) {
        byResource.merge(one.extendedResource(), one, Surroundings::newer);
      }
    }
  }

  /** Source: dynamic-resource-allocation/deviceclass/extendedresourcecache. */
  private static DeviceClass newer(DeviceClass one, DeviceClass other) {
    if (one.createdNs() != other.createdNs()) {
      return one.createdNs() > other.createdNs() ? one : other;
    }
    return one.name().compareTo(other.name()) < 0 ? one : other;
  }

  /** The kind of device with this name, or null. */
  public DeviceClass deviceClass(String name) {
    return deviceClasses.get(name);
  }

  /** The kind of device that a scalar resource stands for, or null. */
  public DeviceClass classOfResource(String resource) {
    return byResource.get(resource);
  }

  /** Whether a resource can stand for devices. Source: pkg/scheduler/util/utils.go. */
  public static boolean mayBeDevice(String resource) {
    return Amounts.isExtended(resource) || resource.startsWith(DeviceClass.IMPLICIT);
  }
}
