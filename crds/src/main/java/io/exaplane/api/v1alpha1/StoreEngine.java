// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** What serves a store. */
public enum StoreEngine {
  /** Our own, in memory with a journal. */
  Memory,
  /** A real etcd of one member. */
  Etcd
}
