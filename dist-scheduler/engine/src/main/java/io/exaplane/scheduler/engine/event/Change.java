// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.event;

import io.exaplane.scheduler.engine.model.Pod;

/**
 * What happened to an object.
 *
 * @param before how it was, or null if it is new
 * @param after how it is, or null if it is gone
 */
public record Change(ClusterEvent event, Object before, Object after) {
  /** The object as it is, or was before it went. */
  public Object any() {
    return after == null ? before : after;
  }

  /** Whether it is about this pod. */
  public boolean isOf(Pod pod) {
    return any() instanceof Pod other && other.key().equals(pod.key());
  }

  /** How it was, or null. */
  public <T> T before(Class<T> kind) {
    return kind.cast(before);
  }

  /** How it is, or null. */
  public <T> T after(Class<T> kind) {
    return kind.cast(after);
  }
}
