// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.device;

/**
 * Something is wrong with a claim, a class or a slice, so that nothing can be said about the pod:
 * kube-scheduler ends its cycle with this error.
 */
public final class AllocationException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final boolean timeout;

  AllocationException(String message) {
    this(message, false);
  }

  private AllocationException(String message, boolean timeout) {
    super(message);
    this.timeout = timeout;
  }

  /** A search that took too long; another node's may, too. */
  static AllocationException timeout(String node) {
    return new AllocationException(
        "node %s: timed out trying to allocate devices".formatted(node), true);
  }

  /** Whether it took too long to find out. */
  public boolean isTimeout() {
    return timeout;
  }
}
