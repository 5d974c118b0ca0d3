// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

/** What the answer of a plugin about a node depends on, the class of pods being the same. */
public enum Scope {
  /** The node itself. */
  NODE,
  /** The node and the pods on it. */
  PODS_OF_NODE,
  /** Other nodes and their pods, too. */
  CLUSTER
}
