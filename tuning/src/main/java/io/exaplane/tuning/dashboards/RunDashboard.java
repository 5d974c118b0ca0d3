// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.dashboards;

import static io.exaplane.tuning.dashboards.Panel.graph;

import java.util.List;

/**
 * One run of a load from its first pod to its last: the graphs by which runs with a million nodes
 * are compared with each other.
 */
final class RunDashboard {
  private RunDashboard() {}

  static Dashboard of() {
    return new Dashboard(
        "run",
        "Exaplane / The run",
        "Stores, kube-apiservers and schedulers under a load, in the graphs that published runs"
            + " have.",
        Ask.controlPlane(),
        List.of(
            new Dashboard.Row("Stores", stores()),
            new Dashboard.Row("kube-apiservers", servers()),
            new Dashboard.Row("Schedulers", schedulers())));
  }

  private static List<Panel> stores() {
    return List.of(
        graph("Requests to stores", Unit.REQUESTS_PER_SECOND, "Calls of all stores by method.")
            .ask(
                Ask.rate("grpc_method", "grpc_server_started_total", Ask.STORE), "{{grpc_method}}"),
        graph("Latency of stores (p99.9)", Unit.SECONDS, "Calls with one answer, by method.")
            .ask(
                Ask.quantile(
                    0.999,
                    "grpc_method",
                    "grpc_server_handling_seconds",
                    Ask.STORE + ",grpc_type=\"unary\""),
                "{{grpc_method}}"),
        graph("Size of stores", Unit.BYTES, "All versions; compactions take it down.")
            .ask("sum(exaplane_store_record_bytes{" + Ask.STORE + "})", "all versions")
            .ask("sum(exaplane_store_live_bytes{" + Ask.STORE + "})", "newest versions"),
        graph("Keys in stores", Unit.COUNT, "The ten Kinds with most keys.")
            .ask(
                Ask.most("sum by (kind) (exaplane_store_kind_keys{" + Ask.STORE + "})"),
                "{{kind}}"));
  }

  private static List<Panel> servers() {
    return List.of(
        graph("Requests", Unit.REQUESTS_PER_SECOND, "By verb and resource, the ten busiest.")
            .ask(
                Ask.most(Ask.rate("verb, resource", "apiserver_request_total", Ask.API)),
                "{{verb}} {{resource}}"),
        graph("Latency of requests (p99)", Unit.SECONDS, "By verb, without watches.")
            .ask(
                Ask.quantile(
                    0.99,
                    "verb",
                    "apiserver_request_sli_duration_seconds",
                    Ask.API + ",verb!~\"WATCH|CONNECT\""),
                "{{verb}}"),
        graph(
                "Watch events by Kind",
                Unit.EVENTS_PER_SECOND,
                "Of the kube-apiserver that sends most of each Kind.")
            .ask(
                "topk(10, max by (resource) (sum by (pod, resource)"
                    + " (rate(apiserver_watch_events_total{"
                    + Ask.API
                    + "}[$__rate_interval]))))",
                "{{resource}}"),
        graph("Requests in flight", Unit.COUNT, "Of the busiest kube-apiserver.")
            .ask(
                "max by (request_kind) (apiserver_current_inflight_requests{" + Ask.API + "})",
                "{{request_kind}}"),
        graph("CPU", Unit.CORES, "Of each kube-apiserver and store.")
            .ask(Ask.rate("pod", "process_cpu_seconds_total", Ask.API), "{{pod}}")
            .ask(Ask.rate("pod", "process_cpu_seconds_total", Ask.STORE), "{{pod}}"),
        graph("Memory", Unit.BYTES, "Resident memory of each kube-apiserver and store.")
            .ask("max by (pod) (process_resident_memory_bytes{" + Ask.API + "})", "{{pod}}")
            .ask("max by (pod) (process_resident_memory_bytes{" + Ask.STORE + "})", "{{pod}}"));
  }

  private static List<Panel> schedulers() {
    return List.of(
        graph("Scheduled pods", Unit.COUNT, "Since the start of each scheduler.")
            .ask("sum(exaplane_scheduler_pods_bound_total{" + Ask.POOLS + "})", "SchedulerPools")
            .ask(
                "sum(scheduler_schedule_attempts_total{"
                    + Ask.KUBE_SCHEDULER
                    + ",result=\"scheduled\"})",
                "kube-scheduler"),
        graph("Rate of scheduling", Unit.PODS_PER_SECOND, "Pods that got their node.")
            .ask(
                "sum(rate(exaplane_scheduler_pods_bound_total{"
                    + Ask.POOLS
                    + "}[$__rate_interval]))",
                "SchedulerPools")
            .ask(
                "sum(rate(scheduler_schedule_attempts_total{"
                    + Ask.KUBE_SCHEDULER
                    + ",result=\"scheduled\"}[$__rate_interval]))",
                "kube-scheduler"),
        graph("Time of a decision", Unit.SECONDS, "Mean time for a pod, without its binding.")
            .ask(mean("exaplane_scheduler_decision_seconds", Ask.POOLS), "SchedulerPools")
            .ask(
                mean("scheduler_scheduling_algorithm_duration_seconds", Ask.KUBE_SCHEDULER),
                "kube-scheduler"),
        graph("Pods that wait", Unit.COUNT, "Active pods, which are next.")
            .ask(
                "sum(exaplane_scheduler_pending_pods{" + Ask.POOLS + ",queue=\"active\"})",
                "SchedulerPools")
            .ask(
                "sum(scheduler_pending_pods{" + Ask.KUBE_SCHEDULER + ",queue=\"active\"})",
                "kube-scheduler"));
  }

  private static String mean(String histogram, String selector) {
    return "sum(rate(%1$s_sum{%2$s}[$__rate_interval])) / sum(rate(%1$s_count{%2$s}[$__rate_interval]))"
        .formatted(histogram, selector);
  }
}
