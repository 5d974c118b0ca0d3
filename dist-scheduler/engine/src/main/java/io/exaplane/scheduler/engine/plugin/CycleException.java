// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

/**
 * Nothing can be said about a pod because something is wrong with what it refers to; kube-scheduler
 * ends its cycle with an error, and tries again after a while.
 */
public final class CycleException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final boolean last;

  /** In kube-scheduler's words. */
  public CycleException(String message) {
    this(message, false);
  }

  /**
   * In kube-scheduler's words.
   *
   * @param last whether no other node is to be asked, because that takes too long
   */
  public CycleException(String message, boolean last) {
    super(message);
    this.last = last;
  }

  public boolean isLast() {
    return last;
  }
}
