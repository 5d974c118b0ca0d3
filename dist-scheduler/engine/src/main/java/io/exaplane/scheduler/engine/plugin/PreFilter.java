// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import java.util.Set;

/**
 * What a filter knows of a pod before it looks at any node.
 *
 * @param skipped whether it has nothing to say about this pod
 * @param rejection why no node does, or null
 * @param nodeNames the only nodes that can do, or null for all
 */
public record PreFilter(boolean skipped, Status rejection, Set<String> nodeNames) {
  public static final PreFilter ALL_NODES = new PreFilter(false, null, null);
  public static final PreFilter SKIP = new PreFilter(true, null, null);

  public static PreFilter reject(Status status) {
    return new PreFilter(false, status, null);
  }

  public static PreFilter only(Set<String> nodeNames) {
    return new PreFilter(false, null, nodeNames);
  }
}
