// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import java.util.Optional;

/**
 * The kinds that a control plane serves, and the heap of its kube-apiservers. Heaps breathe: one
 * that differs by less than a quarter from what was said is no news. Immutable.
 *
 * @param definitions CustomResourceDefinitions
 * @param groupVersions that the API serves
 * @param liveBytes live heap of the kube-apiserver that has most, all that is in it
 */
public record DefinitionsSeen(int definitions, int groupVersions, long liveBytes) {
  private static final double NEWS = 0.25;

  /** Of a page that tells them. */
  static Optional<DefinitionsSeen> of(MemoryFigures figures) {
    return figures.definitions() < 0 || figures.groupVersions() < 0
        ? Optional.empty()
        : Optional.of(
            new DefinitionsSeen(
                figures.definitions(), figures.groupVersions(), figures.liveBytes()));
  }

  /** Of two servers: each counts once a minute, and the newer number is mostly the larger one. */
  DefinitionsSeen and(DefinitionsSeen other) {
    return new DefinitionsSeen(
        Math.max(definitions, other.definitions),
        Math.max(groupVersions, other.groupVersions),
        Math.max(liveBytes, other.liveBytes));
  }

  /** What to say after this was said. */
  DefinitionsSeen then(DefinitionsSeen now) {
    boolean same =
        definitions == now.definitions
            && groupVersions == now.groupVersions
            && isClose(liveBytes, now.liveBytes);
    return same ? this : now;
  }

  /** Whether a heap is near enough to what was said of it. */
  public static boolean isClose(double said, double now) {
    return Math.abs(now - said) <= NEWS * said;
  }
}
