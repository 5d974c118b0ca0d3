// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.oracle;

import io.exaplane.scheduler.scenario.Dice;
import java.util.List;
import java.util.Map;

/**
 * A made-up cluster and what the engine said about its pods, one step after another.
 *
 * @param objects as the API server would list them
 */
record Scenario(String id, List<Map<String, Object>> objects, List<Step> steps) {
  /** What the engine said about a pod, and what the cluster was told to become then. */
  record Step(
      Answer answer,
      String node,
      String nominated,
      List<String> deleted,
      boolean binds,
      String givenUp) {}

  /** As the oracle reads it. */
  Map<String, Object> forOracle() {
    return Dice.map(
        "id", id,
        "objects", objects,
        "steps",
            steps.stream()
                .map(
                    step ->
                        Dice.map(
                            "pod",
                            step.answer().pod(),
                            "node",
                            step.node(),
                            "nominated",
                            step.nominated(),
                            "deleted",
                            step.deleted(),
                            "binds",
                            step.binds(),
                            "givenUp",
                            step.givenUp()))
                .toList());
  }
}
