// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.rotation;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.RotationPhase;
import io.exaplane.api.v1alpha1.RotationWish;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rotations under an operator that is killed between any two writes. Each seed is a run. */
class RotationModelTest {
  private static final int MOST_ACTS = 20_000;

  @ParameterizedTest
  @ValueSource(longs = {0, 1_000, 2_000})
  void nobodyWithAValidCredentialIsRefusedAndTheOldKeysGo(long first) {
    LongStream.range(first, first + 100)
        .forEach(seed -> assertThat(run(seed, true)).as("seed %d", seed).isEmpty());
  }

  /** The model finds what goes wrong: else it would prove nothing. */
  @Test
  void anOperatorThatDoesNotWaitCutsSomebodyOff() {
    assertThat(LongStream.range(0, 20).filter(seed -> !run(seed, false).isEmpty()).count())
        .isGreaterThan(10);
  }

  /** Two rotations of both keys, one after the other; whoever was refused. */
  private static Set<String> run(long seed, boolean waits) {
    RotationModel model = new RotationModel(seed, waits);
    Random person = new Random(seed);
    for (int rotation = 0; rotation < 2; rotation++) {
      Set<String> old = model.inForce();
      model.caWish = RotationWish.Prepare;
      // One after the other, together, or in each other's way.
      BooleanSupplier other =
          person.nextBoolean() ? () -> true : () -> model.caPhase == RotationPhase.Prepared;
      Set<String> refused =
          until(
              model,
              () -> {
                if (other.getAsBoolean()) {
                  model.tokensWish = RotationWish.Prepare;
                }
                return model.caPhase == RotationPhase.Prepared
                    && model.tokensPhase == RotationPhase.Prepared;
              });
      if (!refused.isEmpty()) {
        return refused;
      }
      // What the condition asks for.
      model.refreshNode();
      model.refreshToken();
      model.caWish = RotationWish.Complete;
      model.tokensWish = RotationWish.Complete;
      refused =
          until(
              model,
              () ->
                  model.caPhase == RotationPhase.Completed
                      && model.tokensPhase == RotationPhase.Completed);
      if (!refused.isEmpty()) {
        return refused;
      }
      if (model.trusted().stream().anyMatch(old::contains)) {
        return Set.of("keys of before are still trusted: " + old);
      }
      model.refreshNode();
      model.caWish = null;
      model.tokensWish = null;
    }
    return Set.of();
  }

  private static Set<String> until(RotationModel model, BooleanSupplier done) {
    for (int act = 0; act < MOST_ACTS; act++) {
      model.act();
      Set<String> refused = model.refused();
      if (!refused.isEmpty() || done.getAsBoolean()) {
        return refused;
      }
    }
    return Set.of("the rotation does not end: %s, %s".formatted(model.caPhase, model.tokensPhase));
  }
}
