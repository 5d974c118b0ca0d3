// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.condition;

import io.exaplane.operator.outcome.Problem;
import java.time.Instant;
import java.util.Optional;

/**
 * What hosts can join with. Immutable.
 *
 * @param secret the join Secret, if it is there and the pool's
 * @param missing why it is not there, or not as it should be
 * @param isAsked whether the hosted API was asked; an operator that has just begun knows nothing
 */
public record Material(Optional<Written> secret, Optional<Problem> missing, boolean isAsked) {
  /**
   * The Secret.
   *
   * @param expires when the token in it ends
   */
  public record Written(String name, Instant expires) {
    boolean works(Instant now) {
      return now.isBefore(expires);
    }
  }

  /** One that is as it should be. */
  public static Material ready(Written secret) {
    return new Material(Optional.of(secret), Optional.empty(), true);
  }

  /** One that is not, with what is there. */
  public static Material missing(Optional<Written> secret, Problem why) {
    return new Material(secret, Optional.of(why), true);
  }

  /** One of which nothing is known, since nobody could ask yet. */
  public static Material unasked(Optional<Written> secret, Problem why) {
    return new Material(secret, Optional.of(why), false);
  }
}
