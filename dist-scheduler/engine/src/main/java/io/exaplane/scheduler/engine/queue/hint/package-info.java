/** What pods that a plugin refused may hope for: one rule for each plugin and kind of change. */
package io.exaplane.scheduler.engine.queue.hint;
