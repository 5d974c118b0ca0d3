// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.condition;

import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.names.NodePoolNames;
import io.exaplane.operator.nodepool.agents.WaveReport;
import io.exaplane.operator.nodepool.agents.WaveReport.Agent;
import io.exaplane.operator.nodepool.agents.WaveReport.Incident;
import io.exaplane.operator.nodepool.agents.WaveReport.State;
import io.exaplane.operator.status.Patience;
import io.exaplane.operator.status.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Whether every agent that a pool lists runs its newest revision. Pure. */
public final class AgentsUpToDateCondition {
  private AgentsUpToDateCondition() {}

  /** From what was counted. */
  public static Verdict of(NodePool pool, WaveReport report) {
    if (!report.problem().isEmpty()) {
      return Verdict.no(
          Reason.WriteRefused, "The operator cannot restart agents. " + report.problem());
    }
    if (report.incident().isPresent()) {
      return held(pool, report, report.incident().get());
    }
    List<String> missing =
        report.agents().stream()
            .filter(agent -> agent.state() == State.MISSING)
            .map(agent -> agent.ref().text())
            .toList();
    if (!missing.isEmpty()) {
      return Verdict.no(
          Reason.AgentNotFound,
          "spec.agents.daemonSets: DaemonSet %s does not exist in the hosted cluster. Create the DaemonSet, or remove it from the list.%s"
              .formatted(String.join(" and ", missing), others(report)));
    }
    if (report.agents().stream().anyMatch(agent -> agent.state() == State.WAITING)) {
      return Verdict.no(
          Reason.AgentsWaiting,
          "The operator waits until kube-controller-manager has seen the newest template of %s.%s"
              .formatted(
                  report.agents().stream()
                      .filter(agent -> agent.state() == State.WAITING)
                      .map(agent -> agent.ref().text())
                      .collect(Collectors.joining(" and ")),
                  Patience.NO_ACTION));
    }
    return progress(report);
  }

  private static Verdict progress(WaveReport report) {
    if (report.nodes() == 0) {
      return Verdict.yes(Reason.NoNodes, "No node has joined yet.");
    }
    Optional<Agent> first =
        report.agents().stream()
            .filter(agent -> agent.updated() + agent.unreachable() < agent.nodes())
            .findFirst();
    if (first.isPresent() || report.wave().isPresent()) {
      return Verdict.no(Reason.AgentsRestarting, restarting(report, first));
    }
    int unreachable = report.agents().stream().mapToInt(Agent::unreachable).sum();
    if (unreachable > 0) {
      return Verdict.no(
          Reason.NodesNotReady,
          "%d agents have an earlier revision, since their nodes are not Ready. Check these nodes, or delete them."
              .formatted(unreachable));
    }
    return Verdict.yes(
        Reason.AsExpected,
        report.agents().stream()
            .map(
                agent ->
                    "%s is up to date on %d nodes".formatted(agent.ref().text(), agent.nodes()))
            .collect(Collectors.joining(", ", "", ".")));
  }

  private static String restarting(WaveReport report, Optional<Agent> first) {
    String count =
        first
            .map(
                agent ->
                    "%s is up to date on %d of %d nodes."
                        .formatted(agent.ref().text(), agent.updated(), agent.nodes()))
            .orElse("All pods have the newest revision.");
    String wave =
        report
            .wave()
            .map(
                one ->
                    " The present wave of %s has %d nodes%s, of which %d have no Ready pod yet."
                        .formatted(
                            one.agent(),
                            one.nodes(),
                            one.zone().isEmpty() ? "" : " of zone " + one.zone(),
                            one.left()))
            .orElse("");
    String gate =
        report.gate().isEmpty() ? "" : " The gate is not open: %s.".formatted(report.gate());
    return count + wave + gate + Patience.NO_ACTION;
  }

  private static Verdict held(NodePool pool, WaveReport report, Incident incident) {
    String command =
        "'kubectl -n %s annotate npool %s --overwrite %s=%s'"
            .formatted(
                pool.getMetadata().getNamespace(),
                pool.getMetadata().getName(),
                NodePoolNames.RESUME_AGENTS,
                incident.id());
    boolean isCalm =
        report.gate().isEmpty()
            && (incident.reason() == Reason.GateClosed || report.wave().isEmpty());
    if (isCalm && incident.isManual()) {
      return Verdict.no(
          Reason.ResumeNeeded,
          "Waves of agents are held since %s (%s), and the cause is gone. To continue, run %s."
              .formatted(incident.id(), incident.text(), command));
    }
    String now =
        report.gate().isEmpty() || report.gate().equals(incident.text())
            ? ""
            : " Now %s.".formatted(report.gate());
    return incident.reason() == Reason.WaveNotReady
        ? Verdict.no(
            Reason.WaveNotReady,
            "Waves of agents are held since %s: %s.%s Check these pods in the hosted cluster, or correct the DaemonSet. To continue without them, run %s."
                .formatted(incident.id(), incident.text(), now, command))
        : Verdict.no(
            Reason.GateClosed,
            "Waves of agents are held since %s: %s.%s %s"
                .formatted(
                    incident.id(),
                    incident.text(),
                    now,
                    isCalm
                        ? "The gate is open again, and the operator continues after some good checks."
                        : "Check the load of the hosted API, or raise the limit in spec.agents.gate."));
  }

  private static String others(WaveReport report) {
    return report.wave().isPresent() ? " The other agents continue." : "";
  }
}
