// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.hosted;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * A Lease as it was seen, and since when it has been so by one's own clock: what time it is where
 * its holder is does not matter. Immutable.
 *
 * @param seen what its holder writes; null without a Lease
 */
record LeaseWatch(Object seen, Instant since) {
  private static final int DEFAULT_SECONDS = 15;

  /** With what is seen now. */
  static LeaseWatch next(LeaseWatch before, Lease lease, Instant now) {
    Object seen =
        lease == null
            ? null
            : java.util.List.of(
                String.valueOf(lease.getSpec().getHolderIdentity()),
                String.valueOf(lease.getSpec().getRenewTime()));
    return before != null && Objects.equals(before.seen, seen) ? before : new LeaseWatch(seen, now);
  }

  /** Whether its holder asked for it within its duration, and the time between two looks. */
  boolean isHeld(Lease lease, Duration between, Instant now) {
    if (lease == null || holder(lease).isEmpty()) {
      return false;
    }
    Integer seconds = lease.getSpec().getLeaseDurationSeconds();
    Duration valid = Duration.ofSeconds(seconds == null ? DEFAULT_SECONDS : seconds).plus(between);
    return now.isBefore(since.plus(valid));
  }

  /** The pod that has it: who asks for a Lease puts something random behind its host's name. */
  static String holder(Lease lease) {
    String identity = lease == null ? null : lease.getSpec().getHolderIdentity();
    if (identity == null) {
      return "";
    }
    int random = identity.indexOf('_');
    return random < 0 ? identity : identity.substring(0, random);
  }
}
