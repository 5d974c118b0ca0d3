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
   * @param whole whether it is decided about the group: nothing keeps any pod from its turn
   * @param again from 1.37 on, where the group's pods go once all who can be evicted have gone
   */
  record Step(
      Answer answer,
      List<Effect> effects,
      boolean grouped,
      String assumed,
      boolean whole,
      List<Map<String, Object>> again) {
    /** Of a pod by itself. */
    static Step alone(Answer answer, Effect effect) {
      return new Step(answer, List.of(effect), false, "", false, List.of());
    }

    /** Of a pod of a group; those after it have the effects. */
    static Step member(Answer answer, String assumed, boolean whole) {
      return new Step(answer, List.of(), true, assumed, whole, List.of());
    }

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
          effects.stream().map(Effect::forOracle).toList(),
          "whole",
          whole,
          "again",
          again);
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
