/**
 * Made-up clusters, by a seed: for tests of the engine alone and beside the real kube-scheduler.
 */
package io.exaplane.scheduler.engine.scenario;
