// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** How much a control plane depends on a store. */
public enum Criticality {
  /** Without it the API does not work. */
  Critical,
  /** The API works on without it. */
  BestEffort
}
