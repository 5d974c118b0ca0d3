// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.status;

/** Conditions of a StoreShard. True is good. */
public enum StoreCondition {
  /** The store serves. */
  Ready,
  /** The store still holds all that it ever held. */
  DataIntact,
  /** The store runs the image of this operator's. */
  UpToDate,
  /** The journal can be written; of our own engine. */
  WalHealthy,
  /** There is space for new versions; of our own engine. */
  CapacityAvailable,
  /** Keys of the Kinds that are routed here were written; of our own engine. */
  TrafficObserved,
  /** The operator carries out changes; false while an object is refused. */
  ReconciliationActive
}
