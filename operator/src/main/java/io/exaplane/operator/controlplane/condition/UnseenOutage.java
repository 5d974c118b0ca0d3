// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreCondition;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.status.News;
import io.exaplane.operator.storeshard.status.ShardStates;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * An outage of stores that began and ended between two passes of their control plane. The
 * StoreShards, whose passes are others, know. Immutable.
 *
 * @param stores names of StoreShards, with when each was ready again
 * @param end when the last of them was ready again, as conditions have times
 */
public record UnseenOutage(String stores, String end) {
  /** A predecessor that was killed may have seen the stores' last pass, and told nothing of it. */
  private static final Duration HAND_OVER = Duration.ofMinutes(1);

  /**
   * The outage since which nobody was told; nothing if all of them were.
   *
   * @param told the condition StoresReady as it was told last. Its transition is later than those
   *     of the stores, unless a store was away while nobody looked. All times have seconds and are
   *     in UTC, so that their texts are in order.
   */
  public static Optional<UnseenOutage> of(Optional<Condition> told, List<StoreShard> shards) {
    return told.filter(storesReady -> storesReady.status().equals(Condition.TRUE))
        .map(Condition::lastTransitionTime)
        .flatMap(since -> of(since, shards));
  }

  private static Optional<UnseenOutage> of(String since, List<StoreShard> shards) {
    List<StoreShard> away = shards.stream().filter(shard -> wasAway(since, shard)).toList();
    return away.stream()
        .map(shard -> readySince(shard).orElseThrow())
        .reduce((one, other) -> one.compareTo(other) < 0 ? other : one)
        .map(
            end ->
                new UnseenOutage(
                    away.stream()
                        .map(
                            shard ->
                                "%s (ready again at %s)"
                                    .formatted(
                                        shard.getMetadata().getName(),
                                        readySince(shard).orElseThrow()))
                        .sorted()
                        .collect(Collectors.joining(", ")),
                    end));
  }

  /** A store that was made since was missing before, and not away. */
  private static boolean wasAway(String since, StoreShard shard) {
    String made = shard.getMetadata().getCreationTimestamp();
    return (made == null || made.compareTo(since) <= 0)
        && readySince(shard).filter(ready -> ready.compareTo(since) > 0).isPresent();
  }

  private static Optional<String> readySince(StoreShard shard) {
    return ShardStates.condition(shard, StoreCondition.Ready)
        .filter(ready -> ready.status().equals(Condition.TRUE))
        .map(Condition::lastTransitionTime);
  }

  /**
   * Whether this operator could have seen it. Of an earlier one its predecessor told, or knew
   * nothing of such outages; it is no news.
   *
   * @param begun when this operator began
   */
  public boolean endedAfter(Instant begun) {
    return !Instant.parse(end).isBefore(begun.minus(HAND_OVER));
  }

  /** What a person is told, once. */
  public News news() {
    return new News(
        true,
        Reason.StoreUnavailable,
        "A store did not serve for a short time, and serves again: %s. Writes may have failed meanwhile. No action is needed. If this happens again, check the Events in 'kubectl describe storeshard'."
            .formatted(stores));
  }
}
