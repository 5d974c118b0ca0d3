// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.alerts;

import java.util.List;

/** LISTs and watches: what they cost, and agents of nodes that end or start at once. */
final class ReadAlerts {
  private static final String OBJECTS = Series.WHAT + " of " + Series.WHERE;
  private static final String CULPRITS =
      "Run './exa lists' on the audit log: it names the clients.";

  /** Since 1.37, the server counts LISTs from its cache by the same name. */
  private static final int STORAGE_LABEL = 37;

  /** A kube-apiserver that ended or starts moves all its watches, and no agent did anything. */
  private static final String UNLESS_SERVERS_STARTED =
      "unless on (%1$s) (min by (%1$s) (time() - process_start_time_seconds{job=\"%2$s\"}) < 1800)"
          .formatted(Series.PLANE, Series.API_SERVER);

  private final String fromStore;

  private ReadAlerts(AlertInputs inputs) {
    fromStore = inputs.version().atLeast(STORAGE_LABEL) ? "{storage=\"etcd\"}" : "";
  }

  static List<AlertGroup> groups(AlertInputs inputs) {
    ReadAlerts reads = new ReadAlerts(inputs);
    return List.of(
        AlertGroup.of(
            "lists",
            "reads",
            List.of(
                reads.heavy(), reads.waste(), fallback(), largeAnswers(), slowLists(), relists())),
        AlertGroup.of(
            "watches",
            "reads",
            List.of(cacheLag(), slowWatchers(), historyShrunk(), inconsistent())),
        AlertGroup.of("agents", "reads", List.of(agentsGone(), restartWave())));
  }

  private Alert heavy() {
    return Alert.named("StoreListsHeavy")
        .warning("10m")
        .when(
            Series.rate(
                    Series.RESOURCE,
                    "apiserver_storage_list_fetched_objects_total" + fromStore,
                    "5m")
                + " > 1e5")
        .says("LISTs past the cache read {{ $value }} objects " + OBJECTS + " a second.")
        .then(CULPRITS)
        .since("reference/tuning.md §7.2: 100,000 objects/s");
  }

  private Alert waste() {
    return Alert.named("SelectorWaste")
        .info("30m")
        .when(
            Series.rate(
                    Series.RESOURCE,
                    "apiserver_storage_list_fetched_objects_total" + fromStore,
                    "15m")
                + " / "
                + Series.rate(
                    Series.RESOURCE,
                    "apiserver_storage_list_returned_objects_total" + fromStore,
                    "15m")
                + " > 100 and "
                + Series.rate(
                    Series.RESOURCE,
                    "apiserver_storage_list_fetched_objects_total" + fromStore,
                    "15m")
                + " > 1000")
        .says("LISTs of " + OBJECTS + " read {{ $value }} objects for each that they return.")
        .then(CULPRITS)
        .since("reference/tuning.md §7.2: 100 to 1; below 1,000 objects/s it costs nothing");
  }

  private static Alert fallback() {
    return Alert.named("ConsistentReadFallback")
        .critical("5m")
        .when(
            Series.rate(
                    Series.RESOURCE,
                    "apiserver_watch_cache_consistent_read_total{fallback=\"true\"}",
                    "5m")
                + " / "
                + Series.rate(Series.RESOURCE, "apiserver_watch_cache_consistent_read_total", "5m")
                + " > 0.01")
        .says(
            "{{ $value | humanizePercentage }} of the reads of "
                + OBJECTS
                + " go to the store, since the cache is too old: a cascade begins.")
        .then("Check StoreWatchFallsBehind, and the CPU of kube-apiservers and stores.")
        .since("reference/tuning.md §7.2: 1 %; a cache is 3 s behind before the server gives up");
  }

  private static Alert largeAnswers() {
    return Alert.named("LargeLists")
        .warning("10m")
        .when(
            ("sum by (%1$s) (rate(apiserver_response_sizes_count{verb=\"LIST\"}[5m]))"
                    + " - sum by (%1$s)"
                    + " (rate(apiserver_response_sizes_bucket{verb=\"LIST\",le=~\"1e[+]08|100000000([.]0)?\"}[5m]))"
                    + " > 0.05")
                .formatted(Series.RESOURCE))
        .says("Clients take {{ $value }} LISTs a second of " + OBJECTS + " with over 100 MB each.")
        .then(CULPRITS)
        .since(
            "seed 003 §5.5.3: number and size of large LISTs; three a minute of 100 MB, the largest bucket");
  }

  private static Alert slowLists() {
    return Alert.named("SlowLists")
        .warning("10m")
        .when(
            Series.quantile(
                    0.99,
                    Series.RESOURCE,
                    "apiserver_request_sli_duration_seconds",
                    "{verb=\"LIST\",scope=\"cluster\"}")
                + " > 30")
        .says("LISTs of all " + OBJECTS + " take {{ $value | humanizeDuration }} (p99).")
        .then(CULPRITS)
        .since("SIG Scalability's objective: 30 s for a LIST of the cluster; seed 003 §5.5.3");
  }

  private static Alert relists() {
    return Alert.named("RelistStorm")
        .critical("5m")
        .when(
            ("sum by (%1$s) (rate(apiserver_init_events_total[5m])) > 10 * sum by (%1$s)"
                    + " (rate(apiserver_init_events_total[1h] offset 1h)) and sum by (%1$s)"
                    + " (rate(apiserver_init_events_total[5m])) > 1e4")
                .formatted(Series.RESOURCE))
        .says("Clients start and read all " + OBJECTS + ": {{ $value }} objects a second.")
        .then("Check AgentRestartWave; hold the rollout of agents back, do not restart servers.")
        .since("reference/tuning.md §7.2: ten times the hour before, and over 10,000 a second");
  }

  private static Alert cacheLag() {
    return Alert.named("WatchCacheLag")
        .warning("10m")
        .when(
            Series.quantile(0.99, Series.RESOURCE, "apiserver_watch_cache_read_wait_seconds", "")
                + " > 1")
        .says("Reads of " + OBJECTS + " wait {{ $value | humanizeDuration }} for the cache (p99).")
        .then("Check the CPU of kube-apiservers, and StoreWatchFallsBehind.")
        .since("reference/tuning.md §7.2: 1 s; at 3 s the server gives up and reads the store");
  }

  private static Alert slowWatchers() {
    return Alert.named("SlowWatchersEnded")
        .warning("10m")
        .when(Series.rate(Series.RESOURCE, "apiserver_terminated_watchers_total", "5m") + " > 1")
        .says("Watches of " + OBJECTS + " are too slow: {{ $value }} are ended each second.")
        .then("Check the CPU and network of the clients; each lists everything again.")
        .since("reference/tuning.md §7.2: 1/s");
  }

  private static Alert historyShrunk() {
    return Alert.named("WatchHistoryShort")
        .info("30m")
        .when("max by (%s) (watch_cache_capacity) >= 102400".formatted(Series.RESOURCE))
        .says(
            "The cache of "
                + OBJECTS
                + " is as large as it gets: a client that pauses must list again.")
        .then("Lower the writes of this Kind; at 1,000/s the history is 100 s.")
        .since("kube-apiserver's largest capacity, 102,400 events; resume time = 102,400 / writes");
  }

  private static Alert inconsistent() {
    return Alert.named("CacheInconsistent")
        .critical("0m")
        .when(
            ("sum by (%s) (increase(apiserver_storage_consistency_checks_total"
                    + "{status=\"failure\"}[1h])) > 0")
                .formatted(Series.RESOURCE))
        .says("The cache of " + OBJECTS + " differs from the store: clients read wrong objects.")
        .then("Restart kube-apiservers one by one, and report the Kind and the versions.")
        .since("reference/tuning.md §7.2: one failure; the check compares hashes at one revision");
  }

  private static Alert agentsGone() {
    String watches =
        "sum by ("
            + Series.RESOURCE
            + ") (apiserver_longrunning_requests{verb=\"WATCH\",scope!=\"resource\"}%s)";
    String before = watches.formatted(" offset 15m");
    return Alert.named("AgentsGone")
        .critical("3m")
        .when(
            "%s < 0.8 * %s and %s > 100 %s"
                .formatted(watches.formatted(""), before, before, UNLESS_SERVERS_STARTED))
        .says(
            "Of the clients that watched "
                + OBJECTS
                + " 15 minutes ago, only {{ $value }} are left: agents died on many nodes.")
        .then("Run 'kubectl --kubeconfig=HOSTED get pods -A -o wide' for agents that restart.")
        .since(
            "seed 003 §5.5.2: mass death is P1; a fifth, as for Leases in reference/tuning.md §7.2");
  }

  private static Alert restartWave() {
    return Alert.named("AgentRestartWave")
        .critical("1m")
        .when(
            ("sum by (%1$s) (increase(apiserver_request_total{verb=\"WATCH\"}[5m])) / sum by (%1$s)"
                        + " (apiserver_longrunning_requests{verb=\"WATCH\"}) > 0.5 and sum by (%1$s)"
                        + " (apiserver_longrunning_requests{verb=\"WATCH\"}) > 100 ")
                    .formatted(Series.RESOURCE)
                + UNLESS_SERVERS_STARTED)
        .says(
            "{{ $value | humanizePercentage }} of the watches of "
                + OBJECTS
                + " ended within 5 minutes: agents restart in a wave.")
        .then("Pause the DaemonSet's rollout, or lower its maxUnavailable below 10 % a minute.")
        .since(
            "seed 003 §5.3: at most 10 % of the nodes a minute; a watch ends by itself each 45 min");
  }
}
