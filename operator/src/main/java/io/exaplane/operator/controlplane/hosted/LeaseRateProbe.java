// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import io.exaplane.api.v1alpha1.ControlPlane;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Asks the store of node Leases each minute how many renewals it counted. Neither a Lease nor a
 * node is read. One look at a control plane at a time; thread-safe.
 */
@ApplicationScoped
public class LeaseRateProbe {
  /** How often each store is asked; a rate is that of the time between two looks. */
  static final Duration PERIOD = Duration.ofMinutes(1);

  private final Map<String, GuardTarget> targets = new ConcurrentHashMap<>();
  private final Map<String, LeaseCount> counts = new ConcurrentHashMap<>();
  private final GuardSight sight;

  LeaseRateProbe(GuardSight sight) {
    this.sight = sight;
  }

  /** Where the Leases of a control plane are from now on. */
  void watch(String uid, GuardTarget target) {
    targets.put(uid, target);
  }

  /** Forgets a control plane that is gone. */
  void forget(ControlPlane controlPlane) {
    targets.remove(controlPlane.getMetadata().getUid());
    counts.remove(controlPlane.getMetadata().getUid());
  }

  /** Looks once; nothing until two looks tell a rate, and while the store does not answer. */
  Set<LeaseRate> look(ControlPlane controlPlane) {
    String uid = controlPlane.getMetadata().getUid();
    GuardTarget target = targets.get(uid);
    if (target == null) {
      return Set.of();
    }
    if (target.leaseStore().isEmpty()) {
      counts.remove(uid);
      return Set.of(LeaseRate.NOT_COUNTED);
    }
    try {
      return sight
          .renewals(target.leaseStore().get())
          .map(count -> next(uid, controlPlane, count))
          .orElse(Set.of());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Set.of();
    }
  }

  /** What a count adds; a count that comes too early waits for the next look. */
  Set<LeaseRate> next(String uid, ControlPlane controlPlane, LeaseCount count) {
    LeaseCount before = counts.get(uid);
    boolean isEarly =
        before != null
            && before.store().equals(count.store())
            && count.countingMs() >= before.countingMs()
            && count.writes() >= before.writes()
            && !count.follows(before);
    if (!isEarly) {
      counts.put(uid, count);
    }
    OptionalDouble measured = before == null ? OptionalDouble.empty() : count.since(before);
    if (measured.isPresent()) {
      return Set.of(LeaseRate.of(LeaseRate.told(controlPlane), measured.getAsDouble()));
    }
    return Optional.of(LeaseRate.told(controlPlane))
        .filter(told -> told.isPresent())
        .map(told -> Set.of(new LeaseRate(told)))
        .orElse(Set.of());
  }
}
