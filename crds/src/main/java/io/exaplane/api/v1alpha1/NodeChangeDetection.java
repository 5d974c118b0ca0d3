// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** How a kubelet learns of changes of ConfigMaps and Secrets that its pods use. */
public enum NodeChangeDetection {
  /** By a watch of each object. */
  Watch,
  /** By a read of an object that is older than a minute or so. */
  Cache,
  /** By a read at each synchronization of a pod. */
  Get
}
