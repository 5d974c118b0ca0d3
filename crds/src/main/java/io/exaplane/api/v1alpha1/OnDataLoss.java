// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** What happens when a Critical store does not find the data that it had. */
public enum OnDataLoss {
  /** The store does not serve until the data is back, or a person accepts the loss. */
  Hold,
  /** The store serves what it finds, and the control plane starts anew on it. */
  StartEmpty
}
