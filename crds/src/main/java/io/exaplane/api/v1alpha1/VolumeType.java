// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** What a store's data is kept on. */
public enum VolumeType {
  /** A volume that comes and goes with the pod: for what may be lost. */
  EmptyDir,
  /** The same for a Critical store, by a name that says what the choice costs. */
  EmptyDirLosesDataWithPod,
  /** A volume that outlives the pod. */
  PersistentVolume;

  /** Whether the data outlives the pod. */
  public boolean outlivesPod() {
    return this == PersistentVolume;
  }
}
