/**
 * What the scheduler knows of a cluster: Kubernetes objects as far as they decide where a pod may
 * run, and the state that they add up to.
 */
package io.exaplane.scheduler.engine.model;
