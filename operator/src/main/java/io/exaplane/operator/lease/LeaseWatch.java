// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.lease;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A Lease as it was seen, and since when it has been so by one's own clock: what time it is where
 * its holder is does not matter. Immutable.
 *
 * @param seen what its holder writes
 * @param since when it was seen first
 * @param changes whether it was seen otherwise before: only then it is known that somebody is there
 */
public record LeaseWatch(List<String> seen, Instant since, boolean changes) {
  private static final int DEFAULT_SECONDS = 15;

  /** With what is seen now. */
  public static LeaseWatch next(LeaseWatch before, Lease lease, Instant now) {
    LeaseSpec spec = spec(lease);
    List<String> seen =
        List.of(String.valueOf(spec.getHolderIdentity()), String.valueOf(spec.getRenewTime()));
    return before != null && before.seen.equals(seen)
        ? before
        : new LeaseWatch(seen, now, before != null);
  }

  /**
   * Whether its holder asked for it within its duration, and the time between two looks; empty as
   * long as that is not known.
   */
  public Optional<Boolean> isHeld(Lease lease, Duration between, Instant now) {
    if (holder(lease).isEmpty()) {
      return Optional.of(false);
    }
    Integer seconds = spec(lease).getLeaseDurationSeconds();
    Duration valid = Duration.ofSeconds(seconds == null ? DEFAULT_SECONDS : seconds).plus(between);
    boolean silent = !now.isBefore(since.plus(valid));
    return silent ? Optional.of(false) : changes ? Optional.of(true) : Optional.empty();
  }

  /** The pod that has it: who asks for a Lease puts something random behind its host's name. */
  public static String holder(Lease lease) {
    String identity = spec(lease).getHolderIdentity();
    if (identity == null) {
      return "";
    }
    int random = identity.indexOf('_');
    return random < 0 ? identity : identity.substring(0, random);
  }

  private static LeaseSpec spec(Lease lease) {
    return lease == null || lease.getSpec() == null ? new LeaseSpec() : lease.getSpec();
  }
}
