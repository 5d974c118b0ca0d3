// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import java.util.List;

/**
 * A refusal.
 *
 * @param plugin who refuses; empty where kube-scheduler itself does
 * @param reasons as in the event of an unschedulable pod
 */
public record Status(String plugin, Code code, List<String> reasons) {
  public static Status unschedulable(String plugin, String... reasons) {
    return new Status(plugin, Code.UNSCHEDULABLE, List.of(reasons));
  }

  public static Status unresolvable(String plugin, String... reasons) {
    return new Status(plugin, Code.UNSCHEDULABLE_AND_UNRESOLVABLE, List.of(reasons));
  }

  public boolean isResolvable() {
    return code == Code.UNSCHEDULABLE;
  }
}
