// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** What becomes of data on PersistentVolumes when the object that owns it is deleted. */
public enum StorageDeletion {
  /** The claims stay, and with a control plane's the Secrets that open it again. */
  Retain,
  /** The claims go with their owner. */
  Delete
}
