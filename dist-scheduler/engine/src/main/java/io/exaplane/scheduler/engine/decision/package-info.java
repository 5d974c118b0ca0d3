/**
 * What becomes of pods: {@link io.exaplane.scheduler.engine.decision.Decider} takes the cycle,
 * preemption, gangs and what can be done for those that found no node together, turn by turn.
 */
package io.exaplane.scheduler.engine.decision;
