// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/**
 * Conditions of a StoreShard. True is good but for OperatorUpdatePending, Reconciling and Stalled.
 */
public enum StoreCondition {
  /** The store serves. */
  Ready,
  /** The store still holds all that it ever held. */
  DataIntact,
  /** The store runs the image of this operator's. */
  UpToDate,
  /** This operator would make pods otherwise than they are, and waits to be asked. */
  OperatorUpdatePending,
  /** The volume has the size that is asked for; told of one that was made smaller. */
  VolumeSized,
  /** The journal can be written; of our own engine. */
  WalHealthy,
  /** There is space for new versions; of our own engine. */
  CapacityAvailable,
  /** The spec can be carried out. */
  ConfigurationValid,
  /** Keys of the Kinds that are routed here were written; of our own engine. */
  TrafficObserved,
  /** The store has not used up its budget of restarts. */
  RestartBudgetAvailable,
  /** The operator carries out changes; false while an object is refused. */
  ReconciliationActive,
  /** The store is on its way to serve: for tools that know this condition of any Kind. */
  Reconciling,
  /** Nothing goes on until a person acts: for tools. */
  Stalled
}
