// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import io.exaplane.api.v1alpha1.GuardMode;
import io.exaplane.api.v1alpha1.GuardStatus;
import io.exaplane.api.v1alpha1.Reason;

/**
 * What the meltdown guard decided last; another one only with another decision. Immutable.
 *
 * @param isFrozen whether nodes must not be declared dead
 * @param cause of that; null if it is not so
 * @param numbers of the last decision, as a sentence
 * @param countsLeases whether the store of node Leases says how old they are
 * @param refusal why the decision could not be carried out; "" if it was
 * @param status what is to be remembered
 */
public record GuardVerdict(
    GuardMode mode,
    boolean isFrozen,
    Reason cause,
    String numbers,
    boolean countsLeases,
    String refusal,
    GuardStatus status) {}
