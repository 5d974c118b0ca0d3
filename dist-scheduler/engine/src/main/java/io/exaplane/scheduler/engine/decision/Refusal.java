// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.decision;

import java.util.Set;

/**
 * A pod goes nowhere.
 *
 * @param decision what becomes of it, without the judgement that it rests on
 * @param plugins that refused it; none if it was an error
 */
public record Refusal(Decision decision, Set<String> plugins) {}
