/**
 * What happened to objects, and which pods may hope for more after it. Plugins register by it, and
 * the queue asks them.
 */
package io.exaplane.scheduler.engine.event;
