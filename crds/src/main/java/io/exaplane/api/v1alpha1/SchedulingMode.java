// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** Who places a control plane's pods. */
public enum SchedulingMode {
  /** kube-scheduler. */
  Default,
  /** A SchedulerPool, in the place of kube-scheduler. */
  Pool
}
