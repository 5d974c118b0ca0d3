// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** Whose pods a task can replace. */
public enum TaskComponent {
  KubeAPIServer,
  KubeControllerManager,
  KubeScheduler,
  /** One store of the control plane. */
  Store
}
