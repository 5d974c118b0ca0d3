// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.kube;

import io.exaplane.scheduler.engine.model.Version;
import java.util.List;
import java.util.stream.Stream;

/**
 * A kind of objects by which something is decided, and where the API server has it.
 *
 * @param apiVersion as {@code apps/v1}
 * @param plural as {@code replicasets}
 * @param mayBeAbsent whether there are API servers without
 */
public record Resource(String apiVersion, String kind, String plural, boolean mayBeAbsent) {
  /** One that every API server has. */
  public Resource(String apiVersion, String kind, String plural) {
    this(apiVersion, kind, plural, false);
  }

  private static final Resource GROUPS_OF_1_36 = podGroups("v1alpha2");
  private static final Resource GROUPS = podGroups("v1beta1");

  private static final List<Resource> OTHERS =
      List.of(
          new Resource("v1", "Node", "nodes"),
          new Resource("v1", "Pod", "pods"),
          new Resource("v1", "Namespace", "namespaces"),
          new Resource("v1", "Service", "services"),
          new Resource("v1", "ReplicationController", "replicationcontrollers"),
          new Resource("v1", "PersistentVolume", "persistentvolumes"),
          new Resource("v1", "PersistentVolumeClaim", "persistentvolumeclaims"),
          new Resource("apps/v1", "ReplicaSet", "replicasets"),
          new Resource("apps/v1", "StatefulSet", "statefulsets"),
          new Resource("policy/v1", "PodDisruptionBudget", "poddisruptionbudgets"),
          new Resource("storage.k8s.io/v1", "StorageClass", "storageclasses"),
          new Resource("storage.k8s.io/v1", "CSINode", "csinodes"),
          new Resource("storage.k8s.io/v1", "CSIDriver", "csidrivers"),
          new Resource("storage.k8s.io/v1", "CSIStorageCapacity", "csistoragecapacities"),
          new Resource("storage.k8s.io/v1", "VolumeAttachment", "volumeattachments"),
          new Resource("resource.k8s.io/v1", "DeviceClass", "deviceclasses", true),
          new Resource("resource.k8s.io/v1", "ResourceSlice", "resourceslices", true),
          new Resource("resource.k8s.io/v1", "ResourceClaim", "resourceclaims", true),
          new Resource("resource.k8s.io/v1", "DeviceTaintRule", "devicetaintrules", true));

  private static Resource podGroups(String version) {
    return new Resource("scheduling.k8s.io/" + version, "PodGroup", "podgroups", true);
  }

  /**
   * All that are read to decide as a minor version does, those first without which nothing can be
   * decided.
   */
  public static List<Resource> of(Version version) {
    Resource groups = version.atLeast(Version.V1_37) ? GROUPS : GROUPS_OF_1_36;
    return Stream.concat(OTHERS.stream(), Stream.of(groups)).toList();
  }

  /** Where all of them are, in all namespaces. */
  public String path() {
    return groupPath() + "/" + plural;
  }

  /** Where it says which kinds of the group and version there are. */
  String groupPath() {
    return (apiVersion.contains("/") ? "/apis/" : "/api/") + apiVersion;
  }
}
