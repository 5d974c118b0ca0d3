// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import java.util.Map;

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
}
