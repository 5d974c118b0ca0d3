/**
 * kube-scheduler's plugins, one class for each, under the same names: what they say of a node, and
 * in which words.
 */
package io.exaplane.scheduler.engine.plugin;
