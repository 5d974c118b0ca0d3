// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.dashboards;

import static io.exaplane.tuning.dashboards.Panel.graph;
import static io.exaplane.tuning.dashboards.Panel.number;

import io.exaplane.tuning.alerts.Series;
import java.util.List;

/** The processes of one SchedulerPool, and what becomes of pods. */
final class SchedulerDashboard {
  private SchedulerDashboard() {}

  static Dashboard of() {
    String up = "up{job=\"" + Series.POOL + "\"";
    return new Dashboard(
        "scheduler",
        "Exaplane / Scheduler tree",
        "Pods that wait, decisions, bindings and the tree of one SchedulerPool.",
        List.of(
            new Dashboard.Choice("namespace", "Namespace", up + "}", "namespace"),
            new Dashboard.Choice(
                "pool", "SchedulerPool", up + ",namespace=\"$namespace\"}", "controlplane")),
        List.of(
            new Dashboard.Row("State", state()),
            new Dashboard.Row("Pods", pods()),
            new Dashboard.Row("Tree", tree()),
            new Dashboard.Row("Processes", processes())));
  }

  private static String max(String gauge) {
    return "max(" + gauge + "{" + Ask.POOL + "})";
  }

  private static String rate(String counter) {
    return "sum(rate(" + counter + "{" + Ask.POOL + "}[$__rate_interval]))";
  }

  private static List<Panel> state() {
    return List.of(
        number("Roots", Unit.COUNT, "Roots that answer: one places pods, the others stand by.")
            .ask("sum(up{" + Ask.POOL + "})", "roots"),
        number(
                "In charge",
                Unit.YES_OR_NO,
                "Whether a root holds the Lease. Without it, pods wait.")
            .ask("sum(exaplane_scheduler_leader{" + Ask.POOL + "})", "in charge"),
        number("Shards", Unit.COUNT, "Shards in the tree; 0 if the root evaluates all nodes.")
            .ask(max("exaplane_scheduler_tree_shards"), "shards"),
        number("Relays", Unit.COUNT, "Relays between the root and its shards.")
            .ask(max("exaplane_scheduler_tree_relays"), "relays"),
        number("Shards know all nodes", Unit.YES_OR_NO, "If not, the root searches alone.")
            .ask(max("exaplane_scheduler_tree_complete"), "complete"),
        number(
                "Oldest pending pod",
                Unit.SECONDS,
                "Age of the pod that waits longest and is not gated.")
            .ask(max("exaplane_scheduler_oldest_pending_seconds"), "age")
            .warnAt(60));
  }

  private static List<Panel> pods() {
    return List.of(
        graph(
                "Pending pods",
                Unit.COUNT,
                "Active pods are next, unschedulable ones wait for a change, gated ones for their"
                    + " gates.")
            .ask("sum by (queue) (exaplane_scheduler_pending_pods{" + Ask.POOL + "})", "{{queue}}"),
        graph("Decisions and bindings", Unit.PODS_PER_SECOND, "What becomes of pods.")
            .ask(rate("exaplane_scheduler_pods_decided_total"), "decided")
            .ask(rate("exaplane_scheduler_pods_bound_total"), "bound")
            .ask(rate("exaplane_scheduler_pods_refused_total"), "no node fits")
            .ask(rate("exaplane_scheduler_pods_binding_failed_total"), "binding failed")
            .ask(rate("exaplane_scheduler_pods_preempted_total"), "evicted for others"),
        graph(
                "Time of a decision",
                Unit.SECONDS,
                "From the start of a decision until a node is known.")
            .ask(quantile(0.5, "exaplane_scheduler_decision_seconds"), "p50")
            .ask(quantile(0.99, "exaplane_scheduler_decision_seconds"), "p99"),
        graph("Time until bound", Unit.SECONDS, "From a decision, and from the arrival of a pod.")
            .ask(quantile(0.99, "exaplane_scheduler_binding_seconds"), "binding, p99")
            .ask(quantile(0.5, "exaplane_scheduler_pod_seconds"), "whole, p50")
            .ask(quantile(0.99, "exaplane_scheduler_pod_seconds"), "whole, p99")
            .warnAt(60),
        graph(
                "Events that were left out",
                Unit.EVENTS_PER_SECOND,
                "Kubernetes' Events about pods, dropped since there were too many.")
            .ask(rate("exaplane_scheduler_events_dropped_total"), "dropped"));
  }

  private static String quantile(double quantile, String histogram) {
    return Ask.quantile(quantile, "", histogram, Ask.POOL);
  }

  private static List<Panel> tree() {
    return List.of(
        graph(
                "Turns",
                Unit.REQUESTS_PER_SECOND,
                "Turns that the answers of shards decided, and turns that the root decided alone.")
            .ask(rate("exaplane_scheduler_pods_by_shards_total"), "by shards")
            .ask(rate("exaplane_scheduler_pods_alone_total"), "alone"),
        graph(
                "Nodes of a shard",
                Unit.COUNT,
                "Of the shards with most and fewest nodes. A wide gap makes one shard slow.")
            .ask(max("exaplane_scheduler_tree_nodes_most"), "most")
            .ask(max("exaplane_scheduler_tree_nodes_fewest"), "fewest"));
  }

  private static List<Panel> processes() {
    return List.of(
        graph("Heap of roots", Unit.BYTES, "Heap in use, by pod. Java may use half of the limit.")
            .ask("sum by (pod) (jvm_memory_used_bytes{" + Ask.POOL + ",area=\"heap\"})", "{{pod}}"),
        graph("CPU of roots", Unit.SHARE, "Share of the cores that a root may use, by pod.")
            .ask("max by (pod) (process_cpu_usage{" + Ask.POOL + "})", "{{pod}}"),
        graph(
                "Pauses of roots",
                Unit.SECONDS,
                "Mean pause of the garbage collector. Long pauses delay every decision.")
            .ask(
                Ask.rate("pod", "jvm_gc_pause_seconds_sum", Ask.POOL)
                    + " / "
                    + Ask.rate("pod", "jvm_gc_pause_seconds_count", Ask.POOL),
                "{{pod}}")
            .quiet("The garbage collector did not pause a root."));
  }
}
