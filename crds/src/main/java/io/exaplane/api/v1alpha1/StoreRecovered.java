// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** What a store found of itself when it started. */
public enum StoreRecovered {
  /** Nothing. */
  Empty,
  /** All that was ever shown. */
  Replayed,
  /** What was kept. */
  Partial
}
