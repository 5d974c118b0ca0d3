// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** Who keeps the model's FlowSchemas and PriorityLevelConfigurations. */
public enum FlowControlManagement {
  Managed,
  Unmanaged
}
