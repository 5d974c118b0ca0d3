// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.decision;

/**
 * A pod that is decided about with its group.
 *
 * @param decision what becomes of it as far as it alone is concerned; if it has a judgement, that
 *     is to be read before the next pod's
 * @param permitted whether enough of the group have a place with it; false if it has none
 * @param outcome what becomes of it with its group
 */
public record GroupMember(Decision decision, boolean permitted, Decision outcome) {}
