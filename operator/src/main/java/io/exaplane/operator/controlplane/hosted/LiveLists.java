// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import io.exaplane.tuning.lists.MetricsPage.Lists;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What LISTs cost the kube-apiservers of a control plane, when they were last asked. About 100
 * bytes for each resource. Immutable.
 *
 * @param at when they were asked
 * @param resources those that cost most first
 */
public record LiveLists(Instant at, List<Resource> resources) {
  /**
   * LISTs of a resource.
   *
   * @param lists of all servers since each of them started
   * @param readPerSecond objects, since the look before; 0 at the first look, and after a restart
   */
  public record Resource(Lists lists, double readPerSecond) {}

  /**
   * From the pages of all servers that answered.
   *
   * @param before what they said before; null if that is not known
   */
  static LiveLists of(Collection<List<Lists>> servers, LiveLists before, Instant now) {
    Map<String, Lists> sums = new HashMap<>();
    servers.forEach(
        server -> server.forEach(each -> sums.merge(each.resource(), each, Lists::and)));
    Map<String, Double> former = new HashMap<>();
    if (before != null) {
      before.resources.forEach(each -> former.put(each.lists.resource(), read(each.lists)));
    }
    double seconds = before == null ? 0 : Duration.between(before.at, now).toMillis() / 1_000.0;
    return new LiveLists(
        now,
        sums.values().stream()
            .sorted(
                Comparator.comparingDouble(Lists::score).reversed().thenComparing(Lists::resource))
            .map(each -> new Resource(each, rate(each, former, seconds)))
            .toList());
  }

  private static double read(Lists lists) {
    return lists.storeFetched() + lists.cacheFetched();
  }

  private static double rate(Lists lists, Map<String, Double> former, double seconds) {
    double more = read(lists) - former.getOrDefault(lists.resource(), read(lists));
    return seconds > 0 ? Math.max(0, more) / seconds : 0;
  }
}
