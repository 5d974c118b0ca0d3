// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.operator.guard.GuardPolicy;
import io.exaplane.operator.guard.LeaseLook;
import java.time.Duration;
import java.util.Optional;

/** What a store's page of ages says of node Leases. Pure. */
final class LeaseAges {
  static final String PREFIX = "/registry/leases/kube-node-lease/";
  private static final JsonMapper JSON = new JsonMapper();

  private LeaseAges() {}

  /** Path and query of the question. */
  static String question(GuardPolicy policy) {
    return "/ages?prefix=%s&ms=%d&ms=%d"
        .formatted(PREFIX, policy.staleAfter().toMillis(), policy.deadAfter().toMillis());
  }

  /** Path and query of the question how many renewals were counted. */
  static String renewals() {
    return "/ages?prefix=%s&ms=1000".formatted(PREFIX);
  }

  /** The count of a store; nothing if the store is of a version that does not count writes. */
  static Optional<LeaseCount> count(String body, String store) {
    try {
      JsonNode page = JSON.readTree(body);
      return page.path("writes").isIntegralNumber() && page.path("countingMs").isIntegralNumber()
          ? Optional.of(
              new LeaseCount(store, page.path("writes").asLong(), page.path("countingMs").asLong()))
          : Optional.empty();
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  /**
   * The answer; nothing if it is none. A Lease that nobody renewed since the store's start is left
   * out: of its node nothing is known.
   */
  static Optional<LeaseLook> parse(String body, GuardPolicy policy) {
    try {
      JsonNode page = JSON.readTree(body);
      JsonNode unwritten = page.path("unwritten");
      if (!page.path("keys").isIntegralNumber() || unwritten.size() != 2) {
        return Optional.empty();
      }
      long restored = page.path("restoredKeys").asLong();
      long countingMs = page.path("countingMs").asLong();
      long stale = count(unwritten.get(0), restored, countingMs, policy.staleAfter().toMillis());
      long dead = count(unwritten.get(1), restored, countingMs, policy.deadAfter().toMillis());
      long keys = page.path("keys").asLong() - restored;
      return Optional.of(
          LeaseLook.counted(Math.max(0, keys - stale), Math.max(0, stale - dead), dead)
              .countedFor(Duration.ofMillis(countingMs)));
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  private static long count(JsonNode unwritten, long restored, long countingMs, long ageMs) {
    long keys = unwritten.path("keys").asLong();
    return Math.max(0, countingMs >= ageMs ? keys - restored : keys);
  }
}
