// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** What becomes of a DaemonSet that breaks a rule; a later one is stricter. */
public enum NodeAgentsAdmissionMode {
  /** The audit log tells. */
  Audit,
  /** Its author is warned. */
  Warn,
  /** It is refused. */
  Deny
}
