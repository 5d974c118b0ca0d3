// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.rotation;

import io.exaplane.api.v1alpha1.RotationPhase;
import io.exaplane.api.v1alpha1.RotationWish;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Which step comes next, and what a step is called. A step is made only when everybody runs with
 * the one before: then two neighbouring steps are all that exist at a time, and each works with its
 * neighbours. Pure.
 */
public final class RotationStep {
  private RotationStep() {}

  /**
   * What decides beside the key itself.
   *
   * @param wish of the spec; null for none
   * @param settled whether every component runs with the present step
   * @param recorded whether status knows the key that is used: an old key goes only afterwards
   * @param servesApart whether servers' certificates come from the key, which clients outside of
   *     the operator's reach have to know first
   * @param forgotten whether no old key is listed inside of the hosted cluster any more
   * @param followed whether the nodes know the new key, or a person goes on without them
   */
  public record Look(
      RotationWish wish,
      boolean settled,
      boolean recorded,
      boolean servesApart,
      boolean forgotten,
      boolean followed) {
    /** Of a key that nodes follow. */
    public Look(
        RotationWish wish,
        boolean settled,
        boolean recorded,
        boolean servesApart,
        boolean forgotten) {
      this(wish, settled, recorded, servesApart, forgotten, true);
    }
  }

  /**
   * The key after its next step; empty if there is none now.
   *
   * @param make makes files of a new key
   */
  public static Optional<RotatedKey> next(
      RotatedKey key, Look look, Supplier<Map<String, String>> make, Instant now) {
    if (!look.settled() || !look.recorded()) {
      return Optional.empty();
    }
    boolean completes = look.wish() == RotationWish.Complete;
    return Optional.ofNullable(
        switch (key.stage()) {
          case SINGLE ->
              look.wish() == RotationWish.Prepare
                  ? key.step(Stage.TRUSTED, key.current(), make.get(), now)
                  : null;
          case TRUSTED -> key.step(Stage.ISSUING, key.other(), key.current(), now);
          case ISSUING ->
              !completes || !look.followed()
                  ? null
                  : look.servesApart()
                      ? key.step(Stage.SERVING, key.current(), key.other(), now)
                      : key.step(Stage.SINGLE, key.current(), Map.of(), now);
          case SERVING -> key.step(Stage.SINGLE, key.current(), Map.of(), now);
        });
  }

  /**
   * What is told of it. A phase that was reached stays, whatever is replaced for another reason.
   *
   * @param before what was told before; null for nothing
   * @return empty for a key that is not rotated, and never was
   */
  public static Optional<RotationPhase> phase(RotatedKey key, Look look, RotationPhase before) {
    boolean completes = look.wish() == RotationWish.Complete;
    return Optional.ofNullable(
        switch (key.stage()) {
          case TRUSTED -> RotationPhase.Preparing;
          case ISSUING ->
              completes && look.followed()
                  ? RotationPhase.Completing
                  : look.settled() || before == RotationPhase.Prepared
                      ? RotationPhase.Prepared
                      : RotationPhase.Preparing;
          case SERVING -> RotationPhase.Completing;
          case SINGLE -> {
            if (look.wish() == RotationWish.Prepare) {
              yield RotationPhase.Preparing;
            }
            if (key.step() == 0) {
              yield null;
            }
            yield look.settled() && look.forgotten() || before == RotationPhase.Completed
                ? RotationPhase.Completed
                : RotationPhase.Completing;
          }
        });
  }
}
