// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** What a running task is at. */
public enum TaskStep {
  /** Nothing is replaced before others have settled. */
  WaitForTurn,
  ReplacePods,
  /** The new key is made, trusted everywhere, and used. */
  Prepare,
  /** Both keys are trusted, so that everybody outside can follow. */
  TrustBoth,
  /** The old key is taken out of use. */
  Complete,
  /** Certificates are issued. */
  Issue,
  /** The rights go to another group. */
  BindGroup,
  /** Resources that move get Services of their own, which still lead to their present store. */
  PrepareRoute,
  /** Keys are copied to the other store, and changes follow. */
  CopyKeys,
  /** The other store takes over: writes wait for a moment. */
  SwitchRoute
}
