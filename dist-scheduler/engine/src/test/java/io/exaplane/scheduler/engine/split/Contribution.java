// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.split;

import io.exaplane.scheduler.engine.model.PartialSums;
import io.exaplane.scheduler.engine.model.SumKey;
import java.util.HashMap;
import java.util.Map;

/**
 * What a shard's nodes add to what all shards have to know about a pod.
 *
 * @param sums of the pods that its class looks for, by domain
 * @param claimUsers by claim of the pod, how many pods use it
 */
public record Contribution(Map<SumKey, PartialSums> sums, Map<String, Integer> claimUsers) {
  /** Of no nodes. */
  public static final Contribution NONE = new Contribution(Map.of(), Map.of());

  /** Of these nodes and others. */
  public Contribution and(Contribution other) {
    Map<SumKey, PartialSums> allSums = new HashMap<>(sums);
    other.sums.forEach((key, part) -> allSums.merge(key, part, PartialSums::plus));
    Map<String, Integer> allUsers = new HashMap<>(claimUsers);
    other.claimUsers.forEach((claim, users) -> allUsers.merge(claim, users, Integer::sum));
    return new Contribution(allSums, allUsers);
  }
}
