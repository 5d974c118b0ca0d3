// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model.device;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A claim of devices.
 *
 * @param ownerUid its controller's, or empty
 * @param forExtendedResources whether kube-scheduler made it for a pod's extended resources
 * @param allocation or null
 * @param reservedFor uids of those who use it
 * @param conditions of the devices that it was given, by device: those that are true
 */
public record ResourceClaim(
    String namespace,
    String name,
    String uid,
    boolean terminating,
    String ownerUid,
    boolean forExtendedResources,
    List<DeviceRequest> requests,
    List<DeviceConstraint> constraints,
    Allocation allocation,
    List<String> reservedFor,
    Map<DeviceId, Set<String>> conditions) {
  /** One that is not made yet, in place of a pod's extended resources; it has no name. */
  public static ResourceClaim forExtendedResources(
      String namespace, String podUid, List<DeviceRequest> requests) {
    return new ResourceClaim(
        namespace,
        "",
        Devices.uidForExtendedResources(podUid),
        false,
        podUid,
        true,
        requests,
        List.of(),
        null,
        List.of(),
        Map.of());
  }

  public String key() {
    return namespace + "/" + name;
  }

  public boolean isAllocated() {
    return allocation != null;
  }

  /** The same, with these devices or, if it is null, with none, for these users. */
  public ResourceClaim given(Allocation devices, List<String> users) {
    return new ResourceClaim(
        namespace,
        name,
        uid,
        terminating,
        ownerUid,
        forExtendedResources,
        requests,
        constraints,
        devices,
        users,
        devices == null || !devices.equals(allocation) ? Map.of() : conditions);
  }

  /** The same, as the API server calls it. */
  public ResourceClaim named(String newName, String newUid) {
    return new ResourceClaim(
        namespace,
        newName,
        newUid,
        terminating,
        ownerUid,
        forExtendedResources,
        requests,
        constraints,
        allocation,
        reservedFor,
        conditions);
  }

  /**
   * What differs is what the API server calls its status. Two claims with the same status mean the
   * same to pods that wait.
   */
  public boolean hasStatusOf(ResourceClaim other) {
    return Objects.equals(allocation, other.allocation)
        && reservedFor.equals(other.reservedFor)
        && conditions.equals(other.conditions);
  }
}
