// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.agents;

import java.time.Instant;

/**
 * What the planner remembers of a pool. All but the ledger may be lost: then waves begin later, not
 * sooner. Immutable.
 *
 * @param begun since when the operator looks: nobody is late for what it did not see
 * @param calmLooks good looks in a row while waves are held
 * @param lastLook the newest look that was counted
 * @param settled since when the last wave is over: the gate has to be looked at after that
 * @param unreadSince since when the gate cannot be read although there is work; {@link Instant#MAX}
 *     if it can
 */
record WaveState(
    WaveLedger ledger,
    Instant begun,
    int calmLooks,
    Instant lastLook,
    Instant settled,
    Instant unreadSince) {
  static WaveState begin(WaveLedger ledger, Instant now) {
    return new WaveState(ledger, now, 0, Instant.MIN, Instant.MIN, Instant.MAX);
  }
}
