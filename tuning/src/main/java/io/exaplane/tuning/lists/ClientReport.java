// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a client did and cost.
 *
 * @param lists pages counted one by one
 * @param failed responses with 429 or 5xx
 * @param instances source addresses
 * @param servedBy LISTs by where they were answered from: cache, snapshot, store
 * @param findings and how often each was seen
 */
public record ClientReport(
    ClientKey client,
    long requests,
    long lists,
    long failed,
    int instances,
    Map<String, Long> servedBy,
    Cost cost,
    Map<Finding, Long> findings) {
  /** The same with other findings. */
  ClientReport with(Map<Finding, Long> others) {
    return new ClientReport(client, requests, lists, failed, instances, servedBy, cost, others);
  }

  /** What remains without one of those that it adds up, whose findings are that one's alone. */
  ClientReport without(ClientReport one) {
    Map<String, Long> served = new TreeMap<>(servedBy);
    one.servedBy.forEach((from, count) -> served.merge(from, -count, Long::sum));
    served.values().removeIf(count -> count <= 0);
    Map<Finding, Long> left = new EnumMap<>(Finding.class);
    left.putAll(findings);
    left.keySet().removeAll(one.findings.keySet());
    return new ClientReport(
        client,
        requests - one.requests,
        lists - one.lists,
        failed - one.failed,
        Math.max(1, instances - one.instances),
        served,
        cost.minus(one.cost),
        left);
  }
}
