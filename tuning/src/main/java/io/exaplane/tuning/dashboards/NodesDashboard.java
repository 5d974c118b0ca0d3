// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.dashboards;

import static io.exaplane.tuning.dashboards.Panel.graph;
import static io.exaplane.tuning.dashboards.Panel.number;

import java.util.List;

/** The nodes of one control plane, as its components see them, and all pools of nodes. */
final class NodesDashboard {
  private static final String LEASES = "/registry/leases/kube-node-lease/";

  private NodesDashboard() {}

  static Dashboard of() {
    return new Dashboard(
        "nodes",
        "Exaplane / Nodes",
        "Heartbeats, health, address ranges and agents of the nodes of one control plane.",
        Ask.controlPlane(),
        List.of(
            new Dashboard.Row("State", state()),
            new Dashboard.Row("Heartbeats", heartbeats()),
            new Dashboard.Row("Health", health()),
            new Dashboard.Row("Agents on nodes", agents()),
            new Dashboard.Row("Pools", pools())));
  }

  private static String controllers(String aggregation, String metric) {
    return aggregation + "(" + metric + "{" + Ask.CONTROLLERS + "})";
  }

  private static String objects(String resource) {
    return "max(apiserver_resource_objects{" + Ask.API + ",resource=\"" + resource + "\"})";
  }

  private static List<Panel> state() {
    return List.of(
        number("Nodes", Unit.COUNT, "Node objects of the hosted cluster.")
            .ask(objects("nodes"), "nodes"),
        number("Nodes that are not Ready", Unit.COUNT, "Their pods are evicted after five minutes.")
            .ask(controllers("sum", "node_collector_unhealthy_nodes_in_zone"), "not Ready")
            .warnAt(1),
        number("Pods", Unit.COUNT, "Pods of the hosted cluster.").ask(objects("pods"), "pods"),
        number(
                "Silent for a minute",
                Unit.SHARE,
                "Share of nodes whose Lease was not renewed for a minute. Above 20 %, check the"
                    + " endpoint and the network.")
            .ask(silent(), "silent")
            .warnAt(0.05)
            .badAt(0.2),
        number(
                "Used node ranges",
                Unit.SHARE,
                "Of the range that kube-controller-manager gives nodes. At 100 %, new nodes stay"
                    + " NotReady.")
            .ask(controllers("max", "node_ipam_controller_cidrset_usage_cidrs"), "used")
            .warnAt(0.9)
            .quiet("kube-controller-manager gives no ranges to nodes."));
  }

  private static String silent() {
    return "sum(exaplane_store_unwritten_keys{%1$s,prefix=\"%2$s\",seconds=\"60\"}) / sum(exaplane_store_kind_keys{%1$s,prefix=\"%2$s\"})"
        .formatted(Ask.STORE, LEASES);
  }

  private static List<Panel> heartbeats() {
    return List.of(
        graph(
                "Renewals of Leases",
                Unit.WRITES_PER_SECOND,
                "Nodes divided by the renewal interval; a drop comes before NotReady.")
            .ask(
                "sum(rate(exaplane_store_kind_puts_total{"
                    + Ask.STORE
                    + ",prefix=\""
                    + LEASES
                    + "\"}[$__rate_interval]))",
                "written")
            .ask(
                "sum(rate(apiserver_request_total{"
                    + Ask.API
                    + ",resource=\"leases\",verb=\"PUT\"}[$__rate_interval]))",
                "asked for"),
        graph(
                "Leases that were not renewed",
                Unit.COUNT,
                "By the time since the last renewal. Those of half an hour belong to nodes that"
                    + " are gone.")
            .ask(
                "sum by (seconds) (exaplane_store_unwritten_keys{"
                    + Ask.STORE
                    + ",prefix=\""
                    + LEASES
                    + "\"})",
                "{{seconds}} s"),
        graph(
                "Latency of renewals (p99)",
                Unit.SECONDS,
                "PUT of Leases. A kubelet gives up after its timeout and tries again.")
            .ask(
                Ask.quantile(
                    0.99,
                    "",
                    "apiserver_request_sli_duration_seconds",
                    Ask.API + ",resource=\"leases\",verb=\"PUT\""),
                "p99")
            .warnAt(1),
        graph(
                "Updates of Nodes",
                Unit.REQUESTS_PER_SECOND,
                "Statuses that kubelets write, by verb.")
            .ask(
                Ask.rate("verb", "apiserver_request_total", Ask.API + ",resource=\"nodes\""),
                "{{verb}}"));
  }

  private static List<Panel> health() {
    return List.of(
        graph("Nodes by zone", Unit.COUNT, "All nodes, and those that are not Ready.")
            .ask(
                "sum by (zone) (node_collector_zone_size{" + Ask.CONTROLLERS + "})",
                "zone {{zone}}")
            .ask(
                "sum by (zone) (node_collector_unhealthy_nodes_in_zone{" + Ask.CONTROLLERS + "})",
                "zone {{zone}}, not Ready"),
        graph("Health of zones", Unit.PERCENT, "Percentage of Ready nodes in each zone.")
            .ask(
                "min by (zone) (node_collector_zone_health{" + Ask.CONTROLLERS + "})",
                "zone {{zone}}"),
        graph(
                "Evictions",
                Unit.PODS_PER_SECOND,
                "Pods that kube-controller-manager deletes from nodes with taints.")
            .ask(
                "sum(rate(taint_eviction_controller_pod_deletions_total{"
                    + Ask.CONTROLLERS
                    + "}[$__rate_interval]))",
                "deleted"),
        graph(
                "Search for a node range",
                Unit.COUNT,
                "Ranges tried for each new node. The search is linear; above 100, plan a larger"
                    + " range.")
            .ask(
                Ask.rate(
                        "clusterCIDR",
                        "node_ipam_controller_cidrset_allocation_tries_per_request_sum",
                        Ask.CONTROLLERS)
                    + " / "
                    + Ask.rate(
                        "clusterCIDR",
                        "node_ipam_controller_cidrset_allocation_tries_per_request_count",
                        Ask.CONTROLLERS),
                "{{clusterCIDR}}")
            .warnAt(100)
            .quiet("kube-controller-manager gave no range to a node."));
  }

  private static List<Panel> agents() {
    return List.of(
        graph(
                "Watches of agents",
                Unit.COUNT,
                "Watches of what kubelets, kube-proxy and CNI agents follow. A step down is agents"
                    + " that died on many nodes.")
            .ask(
                "sum by (resource) (apiserver_longrunning_requests{"
                    + Ask.API
                    + ",verb=\"WATCH\",resource=~\"nodes|pods|services|endpointslices\"})",
                "{{resource}}"),
        graph(
                "New watches",
                Unit.REQUESTS_PER_SECOND,
                "A peak is agents that start together: at most 10 % of the nodes a minute.")
            .ask(
                Ask.rate("resource", "apiserver_request_total", Ask.API + ",verb=\"WATCH\""),
                "{{resource}}"),
        graph(
                "Objects read by starting watches",
                Unit.OBJECTS_PER_SECOND,
                "Ten times more than an hour before is a relist storm.")
            .ask(
                Ask.most(Ask.rate("resource", "apiserver_init_events_total", Ask.API)),
                "{{resource}}"));
  }

  private static List<Panel> pools() {
    return List.of(
        graph(
                "NodePools by condition",
                Unit.COUNT,
                "Of the whole fleet, with each condition at False. Run 'kubectl get npool -A'.")
            .ask("max by (type) (exaplane_nodepool_conditions{status=\"False\"})", "{{type}}"),
        graph("NodePools", Unit.COUNT, "Of the whole fleet, with each condition at True.")
            .ask("max by (type) (exaplane_nodepool_conditions{status=\"True\"})", "{{type}}"));
  }
}
