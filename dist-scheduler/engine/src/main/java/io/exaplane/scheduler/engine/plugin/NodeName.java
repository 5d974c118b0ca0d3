// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

/**
 * Keeps a pod that names its node from others. A pod that waits names none, so there is nothing to
 * do.
 */
public final class NodeName implements Plugin {
  @Override
  public String name() {
    return "NodeName";
  }
}
