// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

import java.util.concurrent.atomic.AtomicReference;

/**
 * What has to be done before a pod is bound, and whether it may still be held back: until the
 * binding itself is sent. Any thread. Source: pkg/scheduler/framework/runtime, podInPreBind.
 */
public final class Preparation {
  private static final String BINDING = "";

  /** Null while it is under way, why the pod does not go, or that its binding is sent. */
  private final AtomicReference<String> end = new AtomicReference<>();

  /**
   * The pod is not to go after all.
   *
   * @return whether it does not; false if it is too late
   */
  public boolean holdBack(String why) {
    return end.compareAndSet(null, why) || !BINDING.equals(end.get());
  }

  /** Why the pod was held back, or null. */
  String heldBack() {
    String now = end.get();
    return BINDING.equals(now) ? null : now;
  }

  /** From now on nobody holds it back; returns why somebody did, or null. */
  String bind() {
    return end.compareAndSet(null, BINDING) ? null : end.get();
  }
}
