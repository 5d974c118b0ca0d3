// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.usage;

import io.exaplane.api.v1alpha1.StoreRecovered;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a store's page of metrics says.
 *
 * @param durableRevision the newest revision that is in files for good; null if the store, of an
 *     older version, does not say it
 * @param exceeded whether what grows is refused, whatever its key
 * @param liveBytes of the newest version of each key: a store gives older ones back by itself. Of a
 *     store of an older version, which does not say it, of all versions
 * @param load what kube-apiservers load of it
 * @param prefixes those that have a quota of their own
 * @param kinds bytes of the newest versions by Kind; empty of a store of an older version
 * @param startedSeconds since 1970
 * @param writes of keys of Kinds, since it started
 * @param changes those of them that an idle cluster does not make
 */
record StorePage(
    long revision,
    Long durableRevision,
    long compactedRevision,
    boolean stalled,
    boolean exceeded,
    long bytes,
    long liveBytes,
    long quotaBytes,
    long indexBytes,
    long indexLimitBytes,
    Load load,
    List<PrefixSpace> prefixes,
    Map<String, Long> kinds,
    long keys,
    long watchers,
    long writes,
    long changes,
    long startedSeconds,
    StoreRecovered recovered) {

  /**
   * Memory that one kube-apiserver needs for the objects.
   *
   * @param bytes null of a store of an older version, which does not say it
   * @param quotaBytes null if there is none
   * @param kinds bytes by Kind
   */
  record Load(Long bytes, Long quotaBytes, Map<String, Long> kinds) {}

  /** What the keys with a prefix take, in their newest versions, too, and may take. */
  record PrefixSpace(String prefix, long bytes, long liveBytes, long quotaBytes) {}

  /** Prometheus' text format: a name, perhaps labels, a value. */
  private static final Pattern LINE =
      Pattern.compile("([a-z_]+)(?:\\{(?:kind|outcome|prefix)=\"([^\"]*)\".*})? ([-+.0-9Ee]+)");

  private static final String PREFIX = "exaplane_store_prefix_";
  private static final String PREFIX_BYTES = PREFIX + "bytes";
  private static final String PREFIX_LIVE = PREFIX + "live_bytes";
  private static final String PREFIX_QUOTA = PREFIX + "quota_bytes";
  private static final String RECORDS = "exaplane_store_record_bytes";
  private static final String DURABLE = "exaplane_store_durable_revision";
  private static final String LIVE = "exaplane_store_live_bytes";
  private static final String KIND_LIVE = "exaplane_store_kind_live_bytes";
  private static final String KIND_LOAD = "exaplane_store_kind_load_bytes";

  /** Keys of no Kind: kube-apiserver notes its compactions in one, traffic or not. */
  private static final String NO_KIND = "other";

  /**
   * Kinds that an idle cluster writes, too: who leads, which kube-apiservers and nodes are alive,
   * and Events that end.
   */
  private static final Set<String> HEARTBEATS = Set.of("leases", "masterleases", "nodes", "events");

  private static final String PUTS = "exaplane_store_kind_puts_total";
  private static final String DELETES = "exaplane_store_kind_deletes_total";

  /** The counters of Kinds are there when there are Kinds. */
  private static final Set<String> REQUIRED =
      Set.of(
          "exaplane_store_revision",
          "exaplane_store_compacted_revision",
          "exaplane_store_journal_stalled",
          "exaplane_store_space_exceeded",
          RECORDS,
          "etcd_server_quota_backend_bytes",
          "etcd_debugging_mvcc_keys_total",
          "etcd_debugging_mvcc_watcher_total",
          "process_start_time_seconds");

  /** Reads a page; nothing if something is missing. Pure. */
  static Optional<StorePage> parse(String text) {
    Map<String, Double> values = new HashMap<>();
    text.lines()
        .map(LINE::matcher)
        .filter(Matcher::matches)
        .filter(line -> !NO_KIND.equals(line.group(2)))
        .forEach(line -> values.merge(name(line), Double.valueOf(line.group(3)), Double::sum));
    // Revision 0 is that of a store whose writer has not answered yet.
    if (!values.keySet().containsAll(REQUIRED) || value(values, "exaplane_store_revision") == 0) {
      return Optional.empty();
    }
    return Optional.of(
        new StorePage(
            value(values, "exaplane_store_revision"),
            known(values, DURABLE),
            value(values, "exaplane_store_compacted_revision"),
            value(values, "exaplane_store_journal_stalled") > 0,
            value(values, "exaplane_store_space_exceeded") > 0,
            value(values, RECORDS),
            value(values, values.containsKey(LIVE) ? LIVE : RECORDS),
            value(values, "etcd_server_quota_backend_bytes"),
            value(values, "exaplane_store_index_bytes"),
            value(values, "exaplane_store_index_limit_bytes"),
            new Load(
                known(values, "exaplane_store_load_bytes"),
                known(values, "exaplane_store_load_quota_bytes"),
                kinds(values, KIND_LOAD)),
            prefixes(values),
            kinds(values, KIND_LIVE),
            value(values, "etcd_debugging_mvcc_keys_total"),
            value(values, "etcd_debugging_mvcc_watcher_total"),
            sum(kinds(values, PUTS), Set.of()) + sum(kinds(values, DELETES), Set.of()),
            sum(kinds(values, PUTS), HEARTBEATS) + sum(kinds(values, DELETES), HEARTBEATS),
            value(values, "process_start_time_seconds"),
            recovered(values)));
  }

  private static String name(Matcher line) {
    String name = line.group(1);
    boolean isEach =
        name.equals("exaplane_store_recovered")
            || name.equals(KIND_LIVE)
            || name.equals(KIND_LOAD)
            || name.equals(PUTS)
            || name.equals(DELETES)
            || name.startsWith(PREFIX);
    return isEach ? name + line.group(2) : name;
  }

  /** Their quotas are named after them. */
  private static List<PrefixSpace> prefixes(Map<String, Double> values) {
    return values.keySet().stream()
        .filter(name -> name.startsWith(PREFIX_QUOTA))
        .sorted()
        .map(name -> name.substring(PREFIX_QUOTA.length()))
        .map(
            prefix ->
                new PrefixSpace(
                    prefix,
                    value(values, PREFIX_BYTES + prefix),
                    value(
                        values,
                        (values.containsKey(PREFIX_LIVE + prefix) ? PREFIX_LIVE : PREFIX_BYTES)
                            + prefix),
                    value(values, PREFIX_QUOTA + prefix)))
        .toList();
  }

  private static Map<String, Long> kinds(Map<String, Double> values, String metric) {
    return values.keySet().stream()
        .filter(name -> name.startsWith(metric))
        .collect(
            Collectors.toUnmodifiableMap(
                name -> name.substring(metric.length()), name -> value(values, name)));
  }

  private static long sum(Map<String, Long> kinds, Set<String> others) {
    return kinds.entrySet().stream()
        .filter(kind -> !others.contains(kind.getKey()))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  private static Long known(Map<String, Double> values, String name) {
    return values.containsKey(name) ? Long.valueOf(value(values, name)) : null;
  }

  private static long value(Map<String, Double> values, String name) {
    return values.getOrDefault(name, 0.0).longValue();
  }

  /** Null for a store of an older version, which does not say it. */
  private static StoreRecovered recovered(Map<String, Double> values) {
    return Arrays.stream(StoreRecovered.values())
        .filter(
            each ->
                value(values, "exaplane_store_recovered" + each.name().toLowerCase(Locale.ROOT))
                    == 1)
        .findFirst()
        .orElse(null);
  }
}
