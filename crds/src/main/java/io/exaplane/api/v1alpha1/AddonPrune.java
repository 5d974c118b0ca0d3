// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** What happens to objects that an add-on applied and no longer has. */
public enum AddonPrune {
  /** The operator deletes them, except Namespaces and CustomResourceDefinitions. */
  Delete,
  /** The objects stay. */
  Keep
}
