// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.dashboards;

import static io.exaplane.tuning.dashboards.Panel.graph;
import static io.exaplane.tuning.dashboards.Panel.number;

import java.util.List;

/** All control planes together, and the operator. */
final class FleetDashboard {
  private static final String PLANES = "exaplane_controlplane_conditions";

  /** Conditions of which True is not good. */
  private static final String INVERTED =
      "Progressing|Degraded|Deleting|OperatorUpdatePending|Reconciling|Stalled";

  private static final String NO_CERTIFICATES = "No control plane has certificates yet.";
  private static final long DAY = 86_400;

  private FleetDashboard() {}

  static Dashboard of() {
    return new Dashboard(
        "fleet",
        "Exaplane / Fleet",
        "How many control planes, stores and pools are not as they should be, and how the operator"
            + " works.",
        List.of(),
        List.of(
            new Dashboard.Row("Control planes", planes()),
            new Dashboard.Row("Stores and pools", parts()),
            new Dashboard.Row("Certificates and guard", safety()),
            new Dashboard.Row("Operator", operator())));
  }

  /** Both operators count; a standby says 0. */
  private static Panel count(String title, String type, String status, String about) {
    return number(title, Unit.COUNT, about)
        .ask("max(%s{type=\"%s\",status=\"%s\"})".formatted(PLANES, type, status), title);
  }

  private static List<Panel> planes() {
    return List.of(
        count("Available", "Available", "True", "Control planes whose API answers."),
        count(
                "Not available",
                "Available",
                "False",
                "Control planes whose API does not answer. Run 'kubectl get cpl -A'.")
            .badAt(1),
        count(
                "Degraded",
                "Degraded",
                "True",
                "Control planes that one more failure can stop. Run 'kubectl describe cpl'.")
            .warnAt(1),
        count(
                "Stalled",
                "Stalled",
                "True",
                "Control planes that wait for a person. Do what the message of Stalled says.")
            .badAt(1),
        count(
                "Spec refused",
                "ConfigurationValid",
                "False",
                "Control planes with a spec that the operator cannot apply.")
            .warnAt(1),
        count(
                "Update pending",
                "OperatorUpdatePending",
                "True",
                "Control planes that run pods of an earlier operator.")
            .warnAt(1),
        graph(
                "Conditions that are false",
                Unit.COUNT,
                "Control planes with each condition at False that should be True.")
            .ask(
                "max by (type) (%s{status=\"False\",type!~\"%s\"})".formatted(PLANES, INVERTED),
                "{{type}}"),
        graph(
                "Changes under way",
                Unit.COUNT,
                "Control planes with each condition at True that should be False after a while.")
            .ask(
                "max by (type) (%s{status=\"True\",type=~\"%s\"})".formatted(PLANES, INVERTED),
                "{{type}}"));
  }

  private static List<Panel> parts() {
    return List.of(
        graph(
                "Stores that do not serve",
                Unit.COUNT,
                "StoreShards whose condition Ready is False. Critical ones close an API.")
            .ask(
                "max by (criticality) (exaplane_storeshard_conditions"
                    + "{type=\"Ready\",status=\"False\"})",
                "{{criticality}}")
            .badAt(1),
        graph(
                "Conditions of stores that are false",
                Unit.COUNT,
                "StoreShards with each condition at False. Run 'kubectl get shard -A'.")
            .ask(
                "sum by (type) (max by (type, criticality)"
                    + " (exaplane_storeshard_conditions{status=\"False\"}))",
                "{{type}}"),
        graph(
                "Conditions of SchedulerPools that are false",
                Unit.COUNT,
                "SchedulerPools with each condition at False. Run 'kubectl get spool -A'.")
            .ask("max by (type) (exaplane_schedulerpool_conditions{status=\"False\"})", "{{type}}"),
        graph(
                "Conditions of NodePools that are false",
                Unit.COUNT,
                "NodePools with each condition at False. Run 'kubectl get npool -A'.")
            .ask("max by (type) (exaplane_nodepool_conditions{status=\"False\"})", "{{type}}"));
  }

  private static List<Panel> safety() {
    return List.of(
        number(
                "Validity left of certificates",
                Unit.SHARE,
                "Smallest share of its validity that a certificate has left. The operator renews at"
                    + " a third.")
            .ask("min(exaplane_certificate_life_left)", "validity left")
            .quiet(NO_CERTIFICATES),
        number(
                "First CA to expire",
                Unit.SECONDS,
                "Time until the first CA expires. The operator never replaces a CA by itself. Plan"
                    + " a task half a year before; see docs/tasks.md.")
            .ask("min(exaplane_ca_expiry_seconds)", "time left")
            .quiet(NO_CERTIFICATES),
        number(
                "Evictions held back",
                Unit.COUNT,
                "Control planes whose meltdown guard holds evictions back; see docs/guard.md.")
            .ask("max(" + PLANES + "{type=\"NodeEvictionsAllowed\",status=\"False\"})", "held back")
            .badAt(1),
        graph(
                "Decisions of meltdown guards",
                Unit.COUNT,
                "Decisions by act and reason since the operator's start. Each step is a decision.")
            .ask("max by (act, reason) (exaplane_guard_decisions_total)", "{{act}}, {{reason}}"));
  }

  private static List<Panel> operator() {
    return List.of(
        number("Operators", Unit.COUNT, "Operators that answer. One leads, the others stand by.")
            .ask("sum(up{" + Ask.OPERATOR + "})", "operators"),
        number(
                "CAs within half a year of their end",
                Unit.YES_OR_NO,
                "Whether a CA needs a task soon; see docs/tasks.md.")
            .ask("min(exaplane_ca_expiry_seconds) < bool " + 180 * DAY, "soon")
            .warnAt(1),
        graph(
                "Reconciliations",
                Unit.REQUESTS_PER_SECOND,
                "Reconciliations of objects by Kind. A fleet at rest has one each ten minutes.")
            .ask(
                Ask.rate("kind", "operator_sdk_reconciliations_started_total", Ask.OPERATOR),
                "{{kind}}"),
        graph(
                "Failed reconciliations",
                Unit.REQUESTS_PER_SECOND,
                "Passes that ended with an error, by Kind. Read the operator's log.")
            .ask(
                Ask.rate("kind", "operator_sdk_reconciliations_failed_total", Ask.OPERATOR),
                "{{kind}}")
            .quiet("No pass failed."),
        graph(
                "Time of a reconciliation",
                Unit.SECONDS,
                "Mean time of a reconciliation by Kind. Slow ones wait for the management cluster.")
            .ask(
                Ask.rate(
                        "controller",
                        "operator_sdk_controllers_execution_reconcile_seconds_sum",
                        Ask.OPERATOR)
                    + " / "
                    + Ask.rate(
                        "controller",
                        "operator_sdk_controllers_execution_reconcile_seconds_count",
                        Ask.OPERATOR),
                "{{controller}}"),
        graph("Memory of operators", Unit.BYTES, "Heap in use. Java may use half of the limit.")
            .ask(
                "sum by (pod) (jvm_memory_used_bytes{" + Ask.OPERATOR + ",area=\"heap\"})",
                "{{pod}}"),
        graph(
                "CPU of operators",
                Unit.SHARE,
                "Share of the machine's cores. A fleet at rest needs next to none.")
            .ask("max by (pod) (process_cpu_usage{" + Ask.OPERATOR + "})", "{{pod}}"));
  }
}
