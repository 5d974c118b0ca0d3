// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.hosted;

import io.exaplane.api.v1alpha1.SchedulerPoolStatus.Tree;
import java.util.Optional;

/**
 * What a look at a pool's cluster, and at its root in charge, gave. Immutable.
 *
 * @param problem why the API did not answer; "" when it did
 * @param version of the cluster, as 1.36.3
 * @param holder pod that has the Lease, as it calls itself; "" if none ever had it
 * @param held whether it asked for the Lease lately
 * @param tree as the root in charge sees it; empty if it does not say
 */
public record PoolView(
    String problem, String version, String holder, boolean held, Optional<Tree> tree) {

  static PoolView failed(String problem) {
    return new PoolView(problem, "", "", false, Optional.empty());
  }

  /** Whether the API answered. */
  public boolean answers() {
    return problem.isEmpty();
  }

  PoolView with(Optional<Tree> other) {
    return new PoolView(problem, version, holder, held, other);
  }
}
