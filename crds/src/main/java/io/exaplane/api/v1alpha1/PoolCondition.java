// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/**
 * Conditions of a SchedulerPool. True is good but for Progressing, Degraded, OperatorUpdatePending,
 * Reconciling and Stalled.
 */
public enum PoolCondition {
  /** A root of the pool is in charge. */
  Available,
  /** A change is being carried out. */
  Progressing,
  /** Something works less well than it should. */
  Degraded,
  /** The spec can be carried out. */
  ConfigurationValid,
  /** There are as many shards as the number of nodes calls for. */
  SizingValid,
  /** Somebody, of the pool or not, asks for the Lease and so places pods. */
  LeaseHeld,
  /** All shards and relays are members, and shards know all nodes. */
  TreeFormed,
  /** No kube-scheduler stands in. */
  FallbackInactive,
  /** The pods run the image that this operator would give new ones. */
  UpToDate,
  /** No tier has used up its budget of restarts. */
  RestartBudgetAvailable,
  /** This operator would make pods otherwise than they are, and waits to be asked. */
  OperatorUpdatePending,
  /** The operator carries out changes; false while paused. */
  ReconciliationActive,
  /** A root is in charge, and the spec is carried out: for tools that know this of any Kind. */
  Ready,
  /** A change is being carried out: as Progressing, for tools. */
  Reconciling,
  /** Nothing goes on until a person acts: for tools. */
  Stalled
}
