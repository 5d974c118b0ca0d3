// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.dashboards;

import static io.exaplane.tuning.dashboards.Panel.graph;
import static io.exaplane.tuning.dashboards.Panel.number;

import io.exaplane.tuning.version.MinorVersion;
import java.util.ArrayList;
import java.util.List;

/** One control plane, above all its kube-apiservers. */
final class ControlPlaneDashboard {
  /** Since 1.37, LISTs from the cache count by the same name, and two histograms are new. */
  private static final int NEW_METRICS = 37;

  /** Requests that last as long as their client wants have no latency to judge. */
  private static final String SHORT =
      ",verb!~\"WATCH|CONNECT\",subresource!~\"proxy|attach|log|exec|portforward\"";

  private static final String FETCHED = "apiserver_storage_list_fetched_objects_total";
  private static final String CPU = "process_cpu_seconds_total";

  private final boolean isNew;

  private ControlPlaneDashboard(MinorVersion version) {
    isNew = version.atLeast(NEW_METRICS);
  }

  static Dashboard of(MinorVersion version) {
    ControlPlaneDashboard dashboard = new ControlPlaneDashboard(version);
    return new Dashboard(
        "control-plane",
        "Exaplane / Control plane",
        "Requests, queues, watches, caches and memory of one hosted control plane.",
        Ask.controlPlane(),
        List.of(
            new Dashboard.Row("Processes", processes()),
            new Dashboard.Row("Requests", requests()),
            new Dashboard.Row("Priority levels", levels()),
            new Dashboard.Row("Watches and caches", dashboard.watches()),
            new Dashboard.Row("LISTs and objects", dashboard.lists()),
            new Dashboard.Row("Memory and CPU of kube-apiservers", memory()),
            new Dashboard.Row("Stores, as kube-apiservers see them", stores()),
            new Dashboard.Row("Controllers and kube-scheduler", controllers())));
  }

  private static Panel running(String title, String selector) {
    return number(title, Unit.COUNT, "Processes that answer to Prometheus.")
        .ask("sum(up{" + selector + "})", title);
  }

  private static List<Panel> processes() {
    return List.of(
        running("kube-apiservers", Ask.API),
        running("Stores", Ask.STORE),
        running("kube-controller-managers", Ask.CONTROLLERS),
        running("kube-schedulers", Ask.KUBE_SCHEDULER)
            .quiet("Kubernetes has no kube-scheduler here, or Prometheus has no token for it."),
        number(
                "Failed requests",
                Unit.SHARE,
                "Share of requests that the server failed. The objective allows 1 %.")
            .ask(
                "(sum(rate(apiserver_request_total{%1$s,code=~\"5..\"}[$__rate_interval])) or vector(0)) / sum(rate(apiserver_request_total{%1$s}[$__rate_interval]))"
                    .formatted(Ask.API),
                "failed")
            .warnAt(0.01)
            .badAt(0.05),
        number(
                "Latency of writes (p99)",
                Unit.SECONDS,
                "SIG Scalability's objective is 1 s, over five minutes.")
            .ask(
                Ask.quantile(
                    0.99,
                    "",
                    "apiserver_request_sli_duration_seconds",
                    Ask.API + ",verb=~\"POST|PUT|PATCH|DELETE\""),
                "p99")
            .warnAt(0.5)
            .badAt(1));
  }

  private static List<Panel> requests() {
    return List.of(
        graph("Requests by verb", Unit.REQUESTS_PER_SECOND, "All requests, with those that failed.")
            .ask(Ask.rate("verb", "apiserver_request_total", Ask.API), "{{verb}}"),
        graph("Requests by resource", Unit.REQUESTS_PER_SECOND, "The ten busiest resources.")
            .ask(
                Ask.most(
                    Ask.rate(
                        "group, resource", "apiserver_request_total", Ask.API + ",resource!=\"\"")),
                "{{resource}} {{group}}"),
        graph(
                "Answers by code",
                Unit.REQUESTS_PER_SECOND,
                "429 are rejected by priority levels, 5xx failed, 409 and 422 are the client's.")
            .ask(Ask.rate("code", "apiserver_request_total", Ask.API), "{{code}}"),
        graph(
                "Latency by verb (p99)",
                Unit.SECONDS,
                "Without watches and streams. Above 1 s, check priority levels and stores.")
            .ask(
                Ask.quantile(
                    0.99, "verb", "apiserver_request_sli_duration_seconds", Ask.API + SHORT),
                "{{verb}}"),
        graph(
                "Latency of LISTs by scope (p99)",
                Unit.SECONDS,
                "Objectives: 1 s for an object, 5 s for a namespace, 30 s for the cluster.")
            .ask(
                Ask.quantile(
                    0.99,
                    "scope",
                    "apiserver_request_sli_duration_seconds",
                    Ask.API + ",verb=\"LIST\""),
                "{{scope}}"),
        graph(
                "Requests in flight",
                Unit.COUNT,
                "Of the busiest kube-apiserver; long-running requests do not count.")
            .ask(
                "max by (request_kind) (apiserver_current_inflight_requests{" + Ask.API + "})",
                "{{request_kind}}")
            .ask(
                "max by (request_kind) (apiserver_current_inqueue_requests{" + Ask.API + "})",
                "{{request_kind}}, queued"));
  }

  private static List<Panel> levels() {
    return List.of(
        graph(
                "Seats in use",
                Unit.SHARE,
                "Share of each level's seats after borrowing. From 90 % on, the next burst waits.")
            .ask(
                ("sum by (priority_level) (apiserver_flowcontrol_current_executing_seats{%1$s})"
                        + " / sum by (priority_level)"
                        + " (apiserver_flowcontrol_current_limit_seats{%1$s})")
                    .formatted(Ask.API),
                "{{priority_level}}")
            .warnAt(0.9),
        graph("Requests by level", Unit.REQUESTS_PER_SECOND, "Requests that got a seat, by level.")
            .ask(
                Ask.rate(
                    "priority_level", "apiserver_flowcontrol_dispatched_requests_total", Ask.API),
                "{{priority_level}}"),
        graph(
                "Wait for a seat (p99)",
                Unit.SECONDS,
                "At 1 s, the whole time of the objective is spent in the queue.")
            .ask(
                Ask.quantile(
                    0.99,
                    "priority_level",
                    "apiserver_flowcontrol_request_wait_duration_seconds",
                    Ask.API + ",execute=\"true\""),
                "{{priority_level}}")
            .warnAt(1),
        graph(
                "Rejected requests",
                Unit.REQUESTS_PER_SECOND,
                "Requests that got 429, by level and reason. Name the client by its flow schema.")
            .ask(
                Ask.rate(
                    "priority_level, flow_schema, reason",
                    "apiserver_flowcontrol_rejected_requests_total",
                    Ask.API),
                "{{priority_level}}, {{flow_schema}}, {{reason}}")
            .quiet("No request was rejected."));
  }

  private List<Panel> watches() {
    List<Panel> panels = new ArrayList<>();
    panels.add(
        graph("Watches", Unit.COUNT, "Open watches of the ten resources with most of them.")
            .ask(
                Ask.most(
                    "sum by (group, resource) (apiserver_longrunning_requests{"
                        + Ask.API
                        + ",verb=\"WATCH\"})"),
                "{{resource}} {{group}}"));
    panels.add(
        graph(
                "Watch events by Kind",
                Unit.EVENTS_PER_SECOND,
                "Events sent to clients: changes, times their watches. Slices of Services and"
                    + " Leases of nodes are the first to grow.")
            .ask(
                Ask.most(Ask.rate("group, resource", "apiserver_watch_events_total", Ask.API)),
                "{{resource}} {{group}}"));
    panels.add(
        graph(
                "Bytes of watch events",
                Unit.BYTES_PER_SECOND,
                "Before compression, by Kind. Compare with the network of the kube-apiservers.")
            .ask(
                Ask.most(Ask.rate("group, resource", "apiserver_watch_events_sizes_sum", Ask.API)),
                "{{resource}} {{group}}"));
    panels.add(
        graph(
                "Wait for the cache (p99)",
                Unit.SECONDS,
                "Reads that wait until the cache is new enough. At 3 s they go to the store.")
            .ask(
                Ask.quantile(0.99, "resource", "apiserver_watch_cache_read_wait_seconds", Ask.API),
                "{{resource}}")
            .warnAt(1));
    panels.add(
        graph(
                "Changes that caches received",
                Unit.EVENTS_PER_SECOND,
                "Per kube-apiserver: each receives all changes of each Kind.")
            .ask(
                "topk(10, max by (resource) (rate(apiserver_watch_cache_events_received_total{"
                    + Ask.API
                    + "}[$__rate_interval])))",
                "{{resource}}"));
    panels.add(
        graph(
                "Watches that were too slow",
                Unit.REQUESTS_PER_SECOND,
                "Watches that the server ended. Each client lists everything again.")
            .ask(
                Ask.rate("group, resource", "apiserver_terminated_watchers_total", Ask.API),
                "{{resource}} {{group}}")
            .quiet("No watch was too slow."));
    if (isNew) {
      panels.add(
          graph(
                  "Time from the cache to a watch (p99)",
                  Unit.SECONDS,
                  "By the stage of an event's way. Kubernetes measures it since 1.37.")
              .ask(
                  Ask.quantile(
                      0.99, "stage", "apiserver_watch_events_dispatch_duration_seconds", Ask.API),
                  "{{stage}}")
              .quiet("Kubernetes before 1.37 does not measure it."));
    }
    return panels;
  }

  private List<Panel> lists() {
    // Series of versions before have no such label, so this selects all of theirs.
    String fromStore = isNew ? ",storage!=\"watchcache\"" : "";
    String before =
        Ask.rate("group, resource", "apiserver_cache_list_fetched_objects_total", Ask.API);
    String fromCache =
        isNew
            ? Ask.rate("group, resource", FETCHED, Ask.API + ",storage=\"watchcache\"")
                + " or "
                + before
            : before;
    return List.of(
        graph(
                "Objects that LISTs read from stores",
                Unit.OBJECTS_PER_SECOND,
                "Above 100,000 a second, run './exa lists' on the audit log.")
            .ask(
                Ask.most(Ask.rate("group, resource", FETCHED, Ask.API + fromStore)),
                "{{resource}} {{group}}")
            .quiet("No LIST went past the caches."),
        graph(
                "Objects that LISTs read from caches",
                Unit.OBJECTS_PER_SECOND,
                "Each costs CPU for its encoding, and none of the store's.")
            .ask(Ask.most(fromCache), "{{resource}} {{group}}"),
        graph(
                "Bytes of answers to LISTs",
                Unit.BYTES_PER_SECOND,
                "The ten resources with most bytes.")
            .ask(
                Ask.most(
                    Ask.rate(
                        "group, resource",
                        "apiserver_response_sizes_sum",
                        Ask.API + ",verb=\"LIST\"")),
                "{{resource}} {{group}}"),
        graph("Objects", Unit.COUNT, "The ten Kinds with most objects.")
            .ask(
                Ask.most("max by (group, resource) (apiserver_resource_objects{" + Ask.API + "})"),
                "{{resource}} {{group}}"));
  }

  private static List<Panel> memory() {
    return List.of(
        graph(
                "Memory",
                Unit.BYTES,
                "Resident memory, and the limit of a container. Near GOMEMLIMIT is normal.")
            .ask("max by (pod) (process_resident_memory_bytes{" + Ask.API + "})", "{{pod}}")
            .ask("max(go_gc_gomemlimit_bytes{" + Ask.API + "}) / 0.85", "limit"),
        graph(
                "Live heap",
                Unit.SHARE,
                "Share of the limit after a collection. Above 65 %, a relist does not fit.")
            .ask(
                "max by (pod) (go_gc_heap_live_bytes{%1$s} / (go_gc_gomemlimit_bytes{%1$s} / 0.85))"
                    .formatted(Ask.API),
                "{{pod}}")
            .warnAt(0.65)
            .badAt(0.9),
        graph("CPU", Unit.CORES, "Cores in use by each kube-apiserver.")
            .ask(Ask.rate("pod", CPU, Ask.API), "{{pod}}"),
        graph(
                "CPU of the garbage collector",
                Unit.SHARE,
                "Share of the process's CPU. Above 35 %, raise the memory limit.")
            .ask(
                Ask.rate("pod", "go_cpu_classes_gc_total_cpu_seconds_total", Ask.API)
                    + " / "
                    + Ask.rate("pod", CPU, Ask.API),
                "{{pod}}")
            .warnAt(0.35),
        graph("Goroutines", Unit.COUNT, "About four for each watch; more may be a leak.")
            .ask("max by (pod) (go_goroutines{" + Ask.API + "})", "{{pod}}"));
  }

  private static List<Panel> stores() {
    return List.of(
        graph(
                "Requests to stores",
                Unit.REQUESTS_PER_SECOND,
                "By operation: what kube-apiservers ask of their stores.")
            .ask(Ask.rate("operation", "etcd_requests_total", Ask.API), "{{operation}}"),
        graph(
                "Latency of stores (p99)",
                Unit.SECONDS,
                "With the network between. Compare with the dashboard of stores.")
            .ask(
                Ask.quantile(0.99, "operation", "etcd_request_duration_seconds", Ask.API),
                "{{operation}}")
            .warnAt(1),
        graph(
                "Failed requests to stores",
                Unit.REQUESTS_PER_SECOND,
                "Run 'kubectl get shard -A'; if all serve, check certificates and network.")
            .ask(Ask.rate("operation", "etcd_request_errors_total", Ask.API), "{{operation}}")
            .quiet("No request to a store failed."));
  }

  private static List<Panel> controllers() {
    return List.of(
        graph(
                "Queues of controllers",
                Unit.COUNT,
                "The ten longest. Above 10,000, raise concurrent-syncs as './exa tune' says.")
            .ask(Ask.most("max by (name) (workqueue_depth{" + Ask.CONTROLLERS + "})"), "{{name}}"),
        graph(
                "Wait for the own rate limit (p99)",
                Unit.SECONDS,
                "Above 1 s, raise kube-api-qps as './exa tune' says.")
            .ask(
                Ask.quantile(
                    0.99, "", "rest_client_rate_limiter_duration_seconds", Ask.CONTROLLERS),
                "kube-controller-manager")
            .ask(
                Ask.quantile(
                    0.99, "", "rest_client_rate_limiter_duration_seconds", Ask.KUBE_SCHEDULER),
                "kube-scheduler")
            .warnAt(1),
        graph(
                "Pods that wait for kube-scheduler",
                Unit.COUNT,
                "By queue; gated pods wait on purpose.")
            .ask(
                "sum by (queue) (scheduler_pending_pods{" + Ask.KUBE_SCHEDULER + "})", "{{queue}}"),
        graph("Decisions of kube-scheduler", Unit.PODS_PER_SECOND, "Attempts by result.")
            .ask(
                Ask.rate("result", "scheduler_schedule_attempts_total", Ask.KUBE_SCHEDULER),
                "{{result}}"));
  }
}
