// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.status.Verdict;

/** What conditions say that follow from a store's own words, of a store that says nothing. Pure. */
final class StoreSilence {
  private StoreSilence() {}

  /**
   * Nothing is known.
   *
   * @param serves whether the store serves all the same
   */
  static Verdict of(boolean serves) {
    return Verdict.unknown(
        Reason.StoreUnavailable,
        serves
            ? "The store serves, and the operator has not read its pages for more than 5 minutes. Allow the operator's pods to reach the store's ports 2379 and 2381; a NetworkPolicy may deny that."
            : "The store does not answer; see Ready.");
  }
}
