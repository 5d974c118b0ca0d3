// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** What the meltdown guard did, or would have done. */
public enum GuardAct {
  Froze,
  Thawed,
  WouldFreeze,
  WouldThaw;

  /** The act for a decision. */
  public static GuardAct of(boolean freezes, boolean isEnforced) {
    if (isEnforced) {
      return freezes ? Froze : Thawed;
    }
    return freezes ? WouldFreeze : WouldThaw;
  }
}
