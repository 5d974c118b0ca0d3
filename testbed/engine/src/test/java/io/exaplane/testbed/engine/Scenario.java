// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.engine;

import io.exaplane.scheduler.engine.scenario.Dice;
import java.util.List;
import java.util.Map;

/**
 * A made-up cluster and what the engine said about its pods, one step after another.
 *
 * @param objects as the API server would list them
 */
record Scenario(String id, List<Map<String, Object>> objects, List<Step> steps) {
  /**
   * What the engine said about a pod, and what the cluster was told to become then.
   *
   * @param effects one, unless the pod is decided about with its group: then the last pod's step
   *     has those of all, and the others' have none
   * @param grouped whether it is
   * @param assumed where it is taken to be until all of its group are decided about, or empty
   */
  record Step(Answer answer, List<Effect> effects, boolean grouped, String assumed) {
    Map<String, Object> forOracle() {
      if (!grouped) {
        return effects.getFirst().forOracle();
      }
      return Dice.map(
          "pod",
          answer.pod(),
          "grouped",
          true,
          "assumed",
          assumed,
          "then",
          effects.stream().map(Effect::forOracle).toList());
    }
  }

  /** What the cluster becomes. */
  record Effect(
      String pod,
      String node,
      String nominated,
      List<String> deleted,
      boolean binds,
      String givenUp,
      boolean waitsNoMore) {
    Map<String, Object> forOracle() {
      return Dice.map(
          "pod",
          pod,
          "node",
          node,
          "nominated",
          nominated,
          "deleted",
          deleted,
          "binds",
          binds,
          "givenUp",
          givenUp,
          "waitsNoMore",
          waitsNoMore);
    }
  }

  /** As the oracle reads it. */
  Map<String, Object> forOracle() {
    return Dice.map(
        "id", id,
        "objects", objects,
        "steps", steps.stream().map(Step::forOracle).toList());
  }
}
