// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.usage;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a store said when it was last asked, for people who look now: the status has these figures
 * every five minutes at most. About 8 KiB for each store. Immutable.
 *
 * @param at when it was asked
 * @param load bytes of a kube-apiserver's memory; null if the store does not say it
 * @param loadQuota bytes; null if there is none
 * @param writesPerSecond since the look before; 0 at the first one
 * @param kinds those that are written most first, then the largest ones
 * @param trend the writes per second at each of the last looks, the oldest first
 */
public record LiveStore(
    Instant at,
    long revision,
    long keys,
    long bytes,
    long quota,
    Long load,
    Long loadQuota,
    long watchers,
    double writesPerSecond,
    List<Kind> kinds,
    List<Double> trend) {
  /** Ten minutes, a look each ten seconds. */
  static final int MOST_OF_TREND = 60;

  private static final Pattern WRITES =
      Pattern.compile(
          "(?m)^exaplane_store_kind_(?:puts|deletes)_total\\{kind=\"([^\"]*)\".*} ([-+.0-9Ee]+)$");

  /**
   * A Kind of keys.
   *
   * @param name as in pods or widgets.example.com
   * @param bytes of the newest versions
   * @param load bytes of a kube-apiserver's memory
   * @param writes since the store started
   */
  public record Kind(String name, long bytes, long load, long writes, double writesPerSecond) {}

  /**
   * From a page of metrics.
   *
   * @param before what the store said before; null if that is not known
   */
  static LiveStore of(StorePage page, String text, LiveStore before, Instant now) {
    Map<String, Long> writes = writes(text);
    Map<String, Long> earlier = new HashMap<>();
    double seconds = 0;
    if (before != null && !isRestarted(page, before)) {
      before.kinds.forEach(kind -> earlier.put(kind.name(), kind.writes()));
      seconds = Duration.between(before.at, now).toMillis() / 1000.0;
    }
    Set<String> names = new TreeSet<>(page.kinds().keySet());
    names.addAll(writes.keySet());
    List<Kind> kinds = new ArrayList<>();
    double all = 0;
    for (String name : names) {
      long count = writes.getOrDefault(name, 0L);
      // Of a Kind that is new, and of a store that was never asked, the rate is not known.
      double rate =
          seconds <= 0 ? 0 : Math.max(0, count - earlier.getOrDefault(name, 0L)) / seconds;
      all += rate;
      kinds.add(
          new Kind(
              name,
              page.kinds().getOrDefault(name, 0L),
              page.load().kinds().getOrDefault(name, 0L),
              count,
              rate));
    }
    kinds.sort(
        Comparator.comparingDouble(Kind::writesPerSecond)
            .thenComparingLong(Kind::bytes)
            .reversed()
            .thenComparing(Kind::name));
    return new LiveStore(
        now,
        page.revision(),
        page.keys(),
        page.bytes(),
        page.quotaBytes(),
        page.load().bytes(),
        page.load().quotaBytes(),
        page.watchers(),
        all,
        List.copyOf(kinds),
        trend(before, seconds <= 0 ? null : all));
  }

  /** Its counters begin at 0 then. */
  private static boolean isRestarted(StorePage page, LiveStore before) {
    return page.writes() < before.kinds.stream().mapToLong(Kind::writes).sum();
  }

  private static List<Double> trend(LiveStore before, Double rate) {
    List<Double> trend = new ArrayList<>(before == null ? List.of() : before.trend);
    if (rate != null) {
      trend.add(rate);
    }
    return List.copyOf(trend.subList(Math.max(0, trend.size() - MOST_OF_TREND), trend.size()));
  }

  /** Writes of Kinds since the start; what belongs to no Kind does not count, as in the status. */
  private static Map<String, Long> writes(String text) {
    Map<String, Long> writes = new HashMap<>();
    Matcher line = WRITES.matcher(text);
    while (line.find()) {
      if (!line.group(1).equals("other")) {
        writes.merge(line.group(1), (long) Double.parseDouble(line.group(2)), Long::sum);
      }
    }
    return writes;
  }
}
