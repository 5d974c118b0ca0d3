// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** Kind of volume that a store keeps its data on. */
public enum VolumeType {
  EmptyDir,
  PersistentVolume
}
