/**
 * Which pod's turn it is, and which pods wait for something to happen. Without clock, threads and
 * API server.
 */
package io.exaplane.scheduler.engine.queue;
