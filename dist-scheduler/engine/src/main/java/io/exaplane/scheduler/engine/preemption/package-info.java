/** Which pods have to go so that a more important one finds room. */
package io.exaplane.scheduler.engine.preemption;
