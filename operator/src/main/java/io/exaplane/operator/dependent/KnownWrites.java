// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.dependent;

import io.exaplane.operator.outcome.NeedsPersonException;
import io.exaplane.operator.outcome.Outcomes;
import io.exaplane.operator.outcome.Refusal;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.Matcher;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What became of earlier writes of the objects of one dependent, so that none is repeated for ever.
 * Thread-safe.
 */
final class KnownWrites {
  private final AnsweredWrites answered = new AnsweredWrites(System::nanoTime);
  private final ContestedWrites contested = new ContestedWrites(System::nanoTime);
  private final ContestedCreations creations = new ContestedCreations(System::nanoTime);

  /**
   * Whether an object may stay as it is: as wanted, or one more write would change nothing, or only
   * begin another round of a fight, which is told.
   *
   * @param result by what is there and what is wanted
   */
  <R extends HasMetadata> Matcher.Result<R> match(
      Matcher.Result<R> result, R actual, R desired, Context<?> context) {
    if (result.matched()) {
      return result;
    }
    Optional<Refusal> rests = contested.rests(actual, desired);
    rests.ifPresent(Outcomes.of(context)::told);
    return rests.isPresent() || answered.has(actual, desired)
        ? Matcher.Result.computed(true, desired)
        : result;
  }

  /**
   * Makes an object, unless somebody deletes it each time.
   *
   * @throws NeedsPersonException if it is not made for now
   */
  <R extends HasMetadata> R make(
      R wanted, HasMetadata owner, Context<?> context, UnaryOperator<R> create) {
    return creations.make(wanted, owner, Outcomes.of(context), create);
  }

  /** The operator deletes it itself. */
  void forget(HasMetadata object, HasMetadata owner) {
    creations.forget(object, owner);
  }

  /** Remembers a write, and gives its answer. */
  <R extends HasMetadata> R note(R before, R wanted, R answer, Context<?> context) {
    answered.note(before, wanted, answer);
    contested.note(before, wanted).ifPresent(Outcomes.of(context)::told);
    return answer;
  }
}
