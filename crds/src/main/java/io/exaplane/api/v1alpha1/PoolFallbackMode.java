// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** Who places pods while nobody of a SchedulerPool does. */
public enum PoolFallbackMode {
  /** A kube-scheduler of the cluster's version, with the pool's profile. */
  DefaultScheduler,
  /** Nobody: pods wait. */
  None
}
