/** Where a pod goes: every node asked and scored, the best one taken. */
package io.exaplane.scheduler.engine.placement;
