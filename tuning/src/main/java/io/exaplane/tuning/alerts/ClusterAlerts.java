// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.alerts;

import java.util.List;

/** Controllers, nodes and schedulers. */
final class ClusterAlerts {
  private static final String JOB = "{job=\"" + Series.CONTROLLERS + "\"}";

  private ClusterAlerts() {}

  static List<AlertGroup> groups() {
    return List.of(
        AlertGroup.of("controllers", "cluster", List.of(controllersDown(), throttled(), backlog())),
        AlertGroup.of("nodes", "cluster", List.of(notReady(), nodeRanges(), rangesSlow())),
        AlertGroup.of(
            "scheduling",
            "cluster",
            List.of(
                schedulersDown(),
                schedulerBacklog(),
                nobodyInCharge(),
                nothingPlaced(),
                waitLong(),
                bindings(),
                treeIncomplete())));
  }

  private static Alert controllersDown() {
    return Alert.named("ControllersDown")
        .critical("5m")
        .when("sum by (%s) (up%s) == 0".formatted(Series.PLANE, JOB))
        .says(
            "No kube-controller-manager of "
                + Series.WHERE
                + " answers: no pods are created, no endpoints change.")
        .then("Run 'kubectl describe cpl' and follow ControllerManagerAvailable.")
        .since("chosen: several times the Lease of 15 s after which a standby takes over");
  }

  private static Alert throttled() {
    return Alert.named("ControllersThrottled")
        .warning("10m")
        .when(
            Series.quantile(
                    0.99,
                    Series.PLANE + ", job",
                    "rest_client_rate_limiter_duration_seconds",
                    "{job=~\"%s|%s\"}".formatted(Series.CONTROLLERS, Series.KUBE_SCHEDULER))
                + " > 1")
        .says(
            "{{ $labels.job }} of "
                + Series.WHERE
                + " waits {{ $value | humanizeDuration }} for its own rate limit (p99).")
        .then("Raise kube-api-qps as './exa tune' says for the number of nodes.")
        .since("reference/tuning.md §7.2: 1 s");
  }

  private static Alert backlog() {
    return Alert.named("ControllerBacklog")
        .warning("15m")
        .when(
            ("max by (%s, name) (workqueue_depth{job=\"%s\","
                    + "name=~\"endpoint_slice|replicaset|deployment|garbage.*\"}) > 10000")
                .formatted(Series.PLANE, Series.CONTROLLERS))
        .says(
            "The controller {{ $labels.name }} of "
                + Series.WHERE
                + " is {{ $value }} objects behind.")
        .then("Raise its concurrent-syncs as './exa tune' says, after ControllersThrottled.")
        .since("reference/tuning.md §7.2: 10,000");
  }

  private static Alert notReady() {
    return Alert.named("NodesNotReady")
        .critical("2m")
        .when(
            ("sum by (%1$s) (node_collector_unhealthy_nodes_in_zone)"
                    + " / sum by (%1$s) (node_collector_zone_size) > 0.05"
                    + " and sum by (%1$s) (node_collector_zone_size) >= 20")
                .formatted(Series.PLANE))
        .says(
            "{{ $value | humanizePercentage }} of the nodes of "
                + Series.WHERE
                + " are not Ready: their pods are evicted after 5 minutes.")
        .then("Check LeaseRenewalLag and the guard first: a cut network looks the same.")
        .since("reference/tuning.md §7.2: 5 %; fewer than 20 nodes: one is no mass");
  }

  private static Alert nodeRanges() {
    return Alert.named("NodeRangesNearlyGone")
        .warning("15m")
        .when(
            ("max by (%s, clusterCIDR) (node_ipam_controller_cidrset_usage_cidrs) > 0.9")
                .formatted(Series.PLANE))
        .says(
            "{{ $value | humanizePercentage }} of the node ranges of {{ $labels.clusterCIDR }} of "
                + Series.WHERE
                + " are in use: the next nodes stay NotReady.")
        .then("Plan a larger range: './exa addr plan'. Delete nodes that no longer exist.")
        .since("reference/tuning.md §7.2: 90 %");
  }

  private static Alert rangesSlow() {
    return Alert.named("NodeRangesSlow")
        .warning("15m")
        .when(
            Series.rate(
                    Series.PLANE + ", clusterCIDR",
                    "node_ipam_controller_cidrset_allocation_tries_per_request_sum",
                    "5m")
                + " / "
                + Series.rate(
                    Series.PLANE + ", clusterCIDR",
                    "node_ipam_controller_cidrset_allocation_tries_per_request_count",
                    "5m")
                + " > 100")
        .says(
            "kube-controller-manager of "
                + Series.WHERE
                + " tries {{ $value }} ranges for each new node.")
        .then("Plan a larger range: './exa addr plan'. Joins become slower until then.")
        .since("reference/tuning.md §7.2: 100; the search is linear");
  }

  private static Alert schedulersDown() {
    return Alert.named("KubeSchedulersDown")
        .critical("5m")
        .when("sum by (%s) (up{job=\"%s\"}) == 0".formatted(Series.PLANE, Series.KUBE_SCHEDULER))
        .says("No kube-scheduler of " + Series.WHERE + " answers: new pods stay pending.")
        .then("Run 'kubectl describe cpl' and follow SchedulerAvailable.")
        .since("chosen: several times the Lease of 15 s after which a standby takes over");
  }

  private static Alert schedulerBacklog() {
    return Alert.named("SchedulerBacklog")
        .warning("10m")
        .when(
            ("sum by (%1$s) (scheduler_pending_pods{queue=\"active\"}) > 300 * sum by (%1$s)"
                    + " (rate(scheduler_schedule_attempts_total{result=\"scheduled\"}[5m]))"
                    + " and sum by (%1$s) (scheduler_pending_pods{queue=\"active\"}) > 100")
                .formatted(Series.PLANE))
        .says(
            "{{ $value }} pods of "
                + Series.WHERE
                + " wait for kube-scheduler, more than it places in 5 minutes.")
        .then("Consider a SchedulerPool: docs/scheduler-pools.md. Check webhooks on bindings.")
        .since("reference/tuning.md §7.2: five minutes of its throughput");
  }

  private static Alert nobodyInCharge() {
    return Alert.named("NoSchedulerInCharge")
        .critical("2m")
        .when("sum by (%s) (exaplane_scheduler_leader) == 0".formatted(Series.PLANE))
        .says("No root of the scheduler of " + Series.WHERE + " is in charge: pods stay pending.")
        .then("Run 'kubectl describe spool' and follow LeaseHeld.")
        .since("a Lease of 15 s; two minutes are eight of them");
  }

  private static Alert nothingPlaced() {
    return Alert.named("PodsNotPlaced")
        .critical("5m")
        .when(
            ("sum by (%1$s) (exaplane_scheduler_pending_pods{queue=\"active\"}) > 0"
                    + " and sum by (%1$s) (rate(exaplane_scheduler_pods_decided_total[5m]))"
                    + " + sum by (%1$s) (rate(exaplane_scheduler_pods_refused_total[5m])) == 0")
                .formatted(Series.PLANE))
        .says(
            "{{ $value }} pods of " + Series.WHERE + " wait, and the scheduler decides about none.")
        .then("Run './exa pool top' for the pool, and read the log of the root in charge.")
        .since("an active pod is decided within milliseconds; 5 min without a decision is a hang");
  }

  private static Alert waitLong() {
    return Alert.named("PodsWaitTooLong")
        .warning("10m")
        .when(Series.quantile(0.99, Series.PLANE, "exaplane_scheduler_pod_seconds", "") + " > 60")
        .says(
            "Pods of "
                + Series.WHERE
                + " wait {{ $value | humanizeDuration }} until they are bound (p99).")
        .then("Run './exa pool top': it shows which member is slow, and what holds pods.")
        .since("SIG Scalability's pod startup objective is 5 s; a minute is a queue, not a burst");
  }

  private static Alert bindings() {
    return Alert.named("BindingsFail")
        .warning("10m")
        .when(
            Series.rate(Series.PLANE, "exaplane_scheduler_pods_binding_failed_total", "5m")
                + " / "
                + Series.rate(Series.PLANE, "exaplane_scheduler_pods_decided_total", "5m")
                + " > 0.05")
        .says(
            "{{ $value | humanizePercentage }} of the bindings of "
                + Series.WHERE
                + " fail: pods wait longer, and are decided again.")
        .then("Look for a second scheduler of the same name, webhooks, and RequestsRejected.")
        .since("chosen: 5 %, as etcd's mixin takes for failed requests that users notice");
  }

  private static Alert treeIncomplete() {
    return Alert.named("SchedulerNodesUnknown")
        .warning("10m")
        .when(
            ("max by (%1$s) (exaplane_scheduler_leader) == 1"
                    + " and max by (%1$s) (exaplane_scheduler_tree_shards) > 0"
                    + " and max by (%1$s) (exaplane_scheduler_tree_complete) == 0")
                .formatted(Series.PLANE))
        .says(
            "Shards of the scheduler of "
                + Series.WHERE
                + " do not know all nodes: the root searches alone, and is slower.")
        .then("Run './exa pool top', and read the shards that it marks.")
        .since("chosen: longer than the start of one shard");
  }
}
