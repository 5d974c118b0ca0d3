// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.decision;

/**
 * A pod that is decided about with its group.
 *
 * @param decision what becomes of it as far as it alone is concerned; if it has a judgement, that
 *     is to be read before the next pod's
 * @param said what is said of the group once the pod has a place, or, from 1.37 on, none: a code
 *     and a message; empty if nothing is
 * @param outcome what becomes of it with its group
 */
public record GroupMember(Decision decision, String said, Decision outcome) {}
