// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e.chaos;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** The steps of one run, in a random order. Pure: the seed decides. */
public final class Plan {
  private Plan() {}

  /**
   * Rounds of all steps in different orders, so that a short run has no step twice and a long one
   * has each about as often. One that can be done once only is in the first round alone.
   *
   * @param alone whether nothing else is tested meanwhile: only then are those among them that take
   *     minutes, or that other control planes notice
   */
  public static List<Step> of(Random random, int steps, boolean alone) {
    List<Step> plan = new ArrayList<>();
    while (plan.size() < steps) {
      boolean first = plan.isEmpty();
      List<Step> round =
          new ArrayList<>(
              Arrays.stream(Step.values())
                  .filter(step -> alone || !step.isSlow() && !step.isOfAll())
                  .filter(step -> first || !step.isOnce())
                  .toList());
      Collections.shuffle(round, random);
      plan.addAll(round.subList(0, Math.min(round.size(), steps - plan.size())));
    }
    return plan;
  }
}
