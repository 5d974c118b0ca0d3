// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.root;

/** Is told how long things take, nanoseconds. Any thread; it must return at once. */
public interface Durations {
  Durations NONE =
      new Durations() {
        @Override
        public void decided(long ns) {}

        @Override
        public void bound(long ns) {}

        @Override
        public void scheduled(long ns) {}
      };

  /** To decide about a pod. */
  void decided(long ns);

  /** From a decision until the pod is at its node, its volumes and claims included. */
  void bound(long ns);

  /** From when a pod came, or left its gates, until it is at its node. */
  void scheduled(long ns);
}
