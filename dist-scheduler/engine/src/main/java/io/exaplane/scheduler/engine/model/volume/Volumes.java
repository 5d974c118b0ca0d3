// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model.volume;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * All claims, volumes and what provisions them; with what was promised to pods that are on their
 * way. One thread at a time.
 */
public final class Volumes {
  private final Map<String, Claim> claims = new HashMap<>();
  private final Map<String, PersistentVolume> volumes = new LinkedHashMap<>();
  private final Map<String, Map<String, PersistentVolume>> byClass = new HashMap<>();
  private final Map<String, StorageClass> classes = new HashMap<>();
  private final Map<String, CsiNode> nodes = new HashMap<>();
  private final Map<String, Map<String, VolumeAttachment>> attachments = new HashMap<>();
  private final Map<String, String> attachmentNodes = new HashMap<>();
  private final Map<String, CsiDriver> drivers = new HashMap<>();
  private final Map<String, StorageCapacity> capacities = new LinkedHashMap<>();
  private long version;

  public void putClaim(Claim claim) {
    version++;
    claims.put(claim.key(), claim);
  }

  /** A claim is gone, by namespace and name. */
  public void removeClaim(String key) {
    version++;
    claims.remove(key);
  }

  /** Changes whenever one of them does. */
  public long version() {
    return version;
  }

  /** The claim, or null. */
  public Claim claim(String namespace, String name) {
    return claims.get(namespace + "/" + name);
  }

  public void putVolume(PersistentVolume volume) {
    version++;
    PersistentVolume before = volumes.put(volume.name(), volume);
    if (before != null && !before.storageClass().equals(volume.storageClass())) {
      byClass.get(before.storageClass()).remove(before.name());
    }
    byClass.computeIfAbsent(volume.storageClass(), c -> new TreeMap<>()).put(volume.name(), volume);
  }

  public void removeVolume(String name) {
    version++;
    PersistentVolume gone = volumes.remove(name);
    if (gone != null) {
      byClass.get(gone.storageClass()).remove(name);
    }
  }

  /** The volume, or null. */
  public PersistentVolume volume(String name) {
    return volumes.get(name);
  }

  /** Volumes of a storage class, by name. */
  public Collection<PersistentVolume> volumesOf(String storageClass) {
    return byClass.getOrDefault(storageClass, Map.of()).values();
  }

  public void putClass(StorageClass storageClass) {
    version++;
    classes.put(storageClass.name(), storageClass);
  }

  public void removeClass(String name) {
    version++;
    classes.remove(name);
  }

  /** The storage class, or null. */
  public StorageClass storageClass(String name) {
    return classes.get(name);
  }

  public void putNode(CsiNode node) {
    version++;
    nodes.put(node.name(), node);
  }

  public void removeNode(String name) {
    version++;
    nodes.remove(name);
  }

  /** What a node says of CSI, or null. */
  public CsiNode node(String name) {
    return nodes.get(name);
  }

  public void putAttachment(VolumeAttachment attachment) {
    removeAttachment(attachment.name());
    attachmentNodes.put(attachment.name(), attachment.node());
    attachments
        .computeIfAbsent(attachment.node(), n -> new LinkedHashMap<>())
        .put(attachment.name(), attachment);
  }

  /** Returns what it was, or null if there was none. */
  public VolumeAttachment removeAttachment(String name) {
    version++;
    String node = attachmentNodes.remove(name);
    if (node == null) {
      return null;
    }
    Map<String, VolumeAttachment> there = attachments.get(node);
    VolumeAttachment gone = there.remove(name);
    if (there.isEmpty()) {
      attachments.remove(node);
    }
    return gone;
  }

  public Collection<VolumeAttachment> attachments(String node) {
    return attachments.getOrDefault(node, Map.of()).values();
  }

  public void putDriver(CsiDriver driver) {
    version++;
    drivers.put(driver.name(), driver);
  }

  public boolean tellsCapacity(String driver) {
    CsiDriver known = drivers.get(driver);
    return known != null && known.tellsCapacity();
  }

  /** Whether nodes without the driver get no pods with its volumes. */
  public boolean mustBeInstalled(String driver) {
    CsiDriver known = drivers.get(driver);
    return known != null && known.mustBeInstalled();
  }

  public void removeDriver(String name) {
    version++;
    drivers.remove(name);
  }

  public void removeCapacity(String key) {
    version++;
    capacities.remove(key);
  }

  public void putCapacity(StorageCapacity capacity) {
    version++;
    capacities.put(capacity.key(), capacity);
  }

  /** The capacity with this key, or null. */
  public StorageCapacity capacity(String key) {
    return capacities.get(key);
  }

  public Collection<StorageCapacity> capacities() {
    return capacities.values();
  }
}
