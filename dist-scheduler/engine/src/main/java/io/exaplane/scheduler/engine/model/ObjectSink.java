// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import io.exaplane.scheduler.engine.model.device.DeviceClass;
import io.exaplane.scheduler.engine.model.device.DeviceTaintRule;
import io.exaplane.scheduler.engine.model.device.ResourceClaim;
import io.exaplane.scheduler.engine.model.device.ResourceSlice;
import io.exaplane.scheduler.engine.model.volume.Claim;
import io.exaplane.scheduler.engine.model.volume.CsiNode;
import io.exaplane.scheduler.engine.model.volume.PersistentVolume;
import io.exaplane.scheduler.engine.model.volume.StorageCapacity;
import io.exaplane.scheduler.engine.model.volume.StorageClass;

/**
 * Takes objects that are new or others now, and those that are gone, where pods may wait for that.
 */
public interface ObjectSink {
  void put(Node node);

  void put(Pod pod);

  void put(PodGroup group);

  void put(Claim claim);

  void put(PersistentVolume volume);

  void put(StorageClass storageClass);

  void put(CsiNode node);

  void put(StorageCapacity capacity);

  void put(DeviceClass deviceClass);

  void put(ResourceSlice slice);

  void put(ResourceClaim claim);

  void put(DeviceTaintRule rule);

  void removeNode(String name);

  /** A pod is gone, by namespace and name. */
  void removePod(String key);

  /** A group of pods is gone, by namespace and name. */
  void removePodGroup(String key);

  void removeAttachment(String name);

  /** A claim of devices is gone, by namespace and name. */
  void removeResourceClaim(String key);

  void removeTaintRule(String name);

  /** One that brings a cluster up to date, and nothing else. */
  static ObjectSink into(Cluster cluster) {
    return new ObjectSink() {
      @Override
      public void put(Node node) {
        cluster.putNode(node);
      }

      @Override
      public void put(Pod pod) {
        cluster.putPod(pod);
      }

      @Override
      public void put(PodGroup group) {
        cluster.groups().put(group);
      }

      @Override
      public void put(Claim claim) {
        cluster.volumes().putClaim(claim);
      }

      @Override
      public void put(PersistentVolume volume) {
        cluster.volumes().putVolume(volume);
      }

      @Override
      public void put(StorageClass storageClass) {
        cluster.volumes().putClass(storageClass);
      }

      @Override
      public void put(CsiNode node) {
        cluster.volumes().putNode(node);
      }

      @Override
      public void put(StorageCapacity capacity) {
        cluster.volumes().putCapacity(capacity);
      }

      @Override
      public void put(DeviceClass deviceClass) {
        cluster.surroundings().putDeviceClass(deviceClass);
      }

      @Override
      public void put(ResourceSlice slice) {
        cluster.devices().putSlice(slice);
      }

      @Override
      public void put(ResourceClaim claim) {
        cluster.devices().putClaim(claim);
      }

      @Override
      public void put(DeviceTaintRule rule) {
        cluster.devices().putRule(rule);
      }

      @Override
      public void removeNode(String name) {
        cluster.removeNode(name);
      }

      @Override
      public void removePod(String key) {
        cluster.removePod(key);
      }

      @Override
      public void removePodGroup(String key) {
        cluster.groups().remove(key);
      }

      @Override
      public void removeAttachment(String name) {
        cluster.volumes().removeAttachment(name);
      }

      @Override
      public void removeResourceClaim(String key) {
        cluster.devices().removeClaim(key);
      }

      @Override
      public void removeTaintRule(String name) {
        cluster.devices().removeRule(name);
      }
    };
  }
}
