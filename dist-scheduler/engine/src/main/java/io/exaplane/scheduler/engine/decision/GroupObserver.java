// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.decision;

import io.exaplane.scheduler.engine.model.PlacedPod;
import java.util.function.Consumer;

/** Is told what is found out about the pods of a group, one after another. */
@FunctionalInterface
public interface GroupObserver extends Consumer<GroupMember> {
  /** From 1.37 on: where a pod goes, or an empty name, once all who can be evicted have gone. */
  default void triedAgain(PlacedPod pod, String node) {}

  /** From 1.37 on, once all pods were told: what came of it for the group. */
  default void ended(GroupOutcome outcome) {}
}
