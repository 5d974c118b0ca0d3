// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.move;

/**
 * A move. Immutable.
 *
 * @param taskUid the id that both stores keep
 * @param prefix of the keys, as /registry/leases/
 */
public record MoveKey(String taskUid, String prefix) {}
