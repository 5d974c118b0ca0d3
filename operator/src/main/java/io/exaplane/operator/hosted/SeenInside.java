// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What this operator last found to be so inside of hosted clusters, by the owners' UIDs. An
 * operator that has just begun knows nothing, and finds out when the APIs answer. Thread-safe.
 */
@ApplicationScoped
public class SeenInside {
  private final Map<String, Seen> seen = new ConcurrentHashMap<>();

  /**
   * Of one cluster.
   *
   * @param administrators the group that is bound
   * @param clientAuthorities the CAs that aggregated APIs take clients' certificates of; empty
   *     while servers may add to them
   */
  public record Seen(Optional<String> administrators, Optional<String> clientAuthorities) {}

  /** What was found; whether that is new. */
  public boolean note(String uid, Seen now) {
    return !now.equals(seen.put(uid, now));
  }

  /** Whether a group has an administrator's rights. */
  public boolean isBound(String uid, String group) {
    return find(uid).flatMap(Seen::administrators).filter(group::equals).isPresent();
  }

  /** Whether aggregated APIs take clients' certificates of these CAs only. */
  public boolean trustsOnly(String uid, String authorities) {
    return find(uid).flatMap(Seen::clientAuthorities).filter(authorities::equals).isPresent();
  }

  private Optional<Seen> find(String uid) {
    return Optional.ofNullable(seen.get(uid));
  }

  /** Of one that is removed. */
  public void forget(String uid) {
    seen.remove(uid);
  }
}
