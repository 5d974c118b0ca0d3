// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

/** How a plugin refuses a node. */
public enum Code {
  /** The node would do if other pods went. */
  UNSCHEDULABLE("Unschedulable"),
  /** The node does not do, whoever goes. */
  UNSCHEDULABLE_AND_UNRESOLVABLE("UnschedulableAndUnresolvable");

  private final String text;

  Code(String text) {
    this.text = text;
  }

  /** As kube-scheduler writes it. */
  @Override
  public String toString() {
    return text;
  }
}
