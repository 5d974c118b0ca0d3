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
 */
public record Material(Optional<Written> secret, Optional<Problem> missing) {
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
    return new Material(Optional.of(secret), Optional.empty());
  }

  /** One that is not, with what is there. */
  public static Material missing(Optional<Written> secret, Problem why) {
    return new Material(secret, Optional.of(why));
  }
}
