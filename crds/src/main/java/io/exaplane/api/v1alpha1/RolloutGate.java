// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** What can hold a rollout. The names are those of the annotation that opens them. */
public enum RolloutGate {
  /** Every store serves, and none is being replaced. */
  StoresServe,
  /** No component that comes before is being replaced. */
  OneLayer,
  /** The newest pods have been ready for long enough. */
  MinReady,
  /** The operator can read the metrics of the newest kube-apiservers. */
  MetricsRead,
  /** Their watch caches are initialised. */
  WatchCaches,
  /** Their requests are fast enough. */
  RequestP99,
  /** Few enough of their requests are in flight. */
  RequestsInFlight,
  /** Few enough clients list anew. */
  Relists,
  /** The rollout came further within its deadline. */
  ProgressDeadline
}
