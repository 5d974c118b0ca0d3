// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.tree;

/** What goes down the tree. What one process sends to another comes in the order of sending. */
public sealed interface Down {
  /**
   * A process is a member from now on; what it knew before is worth nothing.
   *
   * @param token that it said
   * @param number by which it is known until it is dropped; no other gets it from this root
   * @param epoch of the root: a later root has a higher one
   * @param rules by which is decided
   */
  record Welcome(long token, int number, long epoch, Rules rules) implements Down {}

  /**
   * By which rules is decided.
   *
   * @param version of Kubernetes, as {@code 1.36}
   * @param configuration a KubeSchedulerConfiguration, or empty for kube-scheduler's defaults
   * @param seed by which ties are broken
   */
  record Rules(String version, String configuration, long seed) {}

  /** Changes for one member, in their order; nobody else reads them. */
  record Changes(int to, Packed changes) implements Down {}

  /**
   * Asks all shards for their best nodes for a class, as they are after all changes that were sent
   * before.
   *
   * @param id higher than all before; who asks has no interest in answers to those any more
   * @param most how many of each cell
   */
  record Ask(long id, int podClass, int most) implements Down {}

  /** Asks all members whether they are there. */
  record Ping(long id) implements Down {}

  /** A process is no member any more. */
  record Drop(int number, String why) implements Down {}
}
