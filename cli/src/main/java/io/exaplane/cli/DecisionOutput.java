// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import io.exaplane.scheduler.engine.decision.Decision;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.device.Allocation;
import io.exaplane.scheduler.engine.placement.Judgement;
import io.exaplane.scheduler.engine.plugin.Grant;
import io.exaplane.scheduler.engine.plugin.Status;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Prints decisions as they are made: each needs the cluster as it was then. */
final class DecisionOutput {
  private static final String EXTENDED_RESOURCES = "extended resources";

  private final Cluster cluster;
  private final Assumptions assumptions;
  private final SimulateCommand.Verdicts verdicts;
  private final PrintWriter out;
  private final JsonGenerator json;
  private final Table table = new Table("POD", "NODE", "SCORE", "NOMINATED", "VICTIMS", "MESSAGE");

  DecisionOutput(
      Cluster cluster,
      Assumptions assumptions,
      SimulateCommand.Verdicts verdicts,
      PrintWriter out) {
    this.cluster = cluster;
    this.assumptions = assumptions;
    this.verdicts = verdicts;
    this.out = out;
    try {
      json = new JsonFactory().createGenerator(out);
      json.setPrettyPrinter(new MinimalPrettyPrinter(""));
      json.disable(StreamWriteFeature.AUTO_CLOSE_TARGET.mappedFeature());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void json(Decision decision) {
    try {
      json.writeStartObject();
      json.writeStringField("pod", decision.pod().pod().key());
      writeName("node", decision.node());
      if (!decision.node().isEmpty() && verdicts != SimulateCommand.Verdicts.NONE) {
        json.writeNumberField("regret", decision.regret());
      }
      if (decision.judgement() == null) {
        // Nobody looked at any node for it, or nobody wants to know.
      } else if (decision.judgement().unsupported() != null) {
        json.writeStringField("unsupported", decision.judgement().unsupported());
      } else if (decision.judgement().error() != null) {
        json.writeStringField("error", decision.judgement().error());
      } else if (verdicts == SimulateCommand.Verdicts.FULL) {
        writeFeasible(decision.judgement());
        writeInfeasible(decision);
      } else if (verdicts == SimulateCommand.Verdicts.SUMMARY) {
        writeSummary(decision);
      }
      if (!decision.nominated().isEmpty()) {
        writeName("nominated", decision.nominated());
        writeVictims(decision.victims());
      }
      if (!decision.grants().isEmpty()) {
        writeDevices(decision.grants());
      }
      if (decision.givenUp() != null) {
        json.writeStringField("givenUp", decision.givenUp().key());
      }
      if (!decision.message().isEmpty()) {
        json.writeStringField("message", decision.message());
      }
      writeAssumptions(decision.pod().pod().key());
      json.writeEndObject();
      json.writeRaw('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void writeAssumptions(String pod) throws IOException {
    List<Assumption> assumed = assumptions.of(pod);
    if (assumed.isEmpty()) {
      return;
    }
    json.writeArrayFieldStart("assumed");
    for (Assumption one : assumed) {
      json.writeStartObject();
      json.writeStringField("missing", one.missing());
      json.writeStringField("taken", one.taken());
      json.writeStringField("get", one.get());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void writeName(String field, String name) throws IOException {
    json.writeStringField(field, name.isEmpty() ? null : name);
  }

  private void writeVictims(List<PlacedPod> victims) throws IOException {
    json.writeArrayFieldStart("victims");
    for (String victim : names(victims)) {
      json.writeString(victim);
    }
    json.writeEndArray();
  }

  /** By claim, what it is given; extended resources have no claim of a name. */
  private void writeDevices(List<Grant> grants) throws IOException {
    json.writeObjectFieldStart("devices");
    for (Grant grant : grants) {
      json.writeArrayFieldStart(grant.isNew() ? EXTENDED_RESOURCES : grant.claim().key());
      for (Allocation.Result result : grant.allocation().results()) {
        json.writeString(result.request() + ": " + result.device());
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  private void writeFeasible(Judgement judgement) throws IOException {
    List<String> scorers = judgement.scorers();
    json.writeObjectFieldStart("feasible");
    for (int i = 0; i < judgement.feasibleCount(); i++) {
      json.writeObjectFieldStart(name(judgement.feasible(i)));
      json.writeNumberField("total", judgement.total(i));
      json.writeObjectFieldStart("scores");
      for (int s = 0; s < scorers.size(); s++) {
        json.writeNumberField(scorers.get(s), judgement.score(s, i));
      }
      json.writeEndObject();
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  private void writeInfeasible(Decision decision) throws IOException {
    json.writeObjectFieldStart("infeasible");
    for (int node = 0; node < cluster.nodes().size(); node++) {
      if (decision.judgement().isRefused(node)) {
        Status status = decision.judgement().refusal(node);
        json.writeObjectFieldStart(name(node));
        json.writeStringField("plugin", status.plugin());
        json.writeStringField("status", status.code().toString());
        json.writeArrayFieldStart("reasons");
        for (String reason : status.reasons()) {
          json.writeString(reason);
        }
        json.writeEndArray();
        json.writeEndObject();
      }
    }
    json.writeEndObject();
  }

  private void writeSummary(Decision decision) throws IOException {
    Map<String, Map<String, Integer>> counts = new TreeMap<>();
    for (int node = 0; node < cluster.nodes().size(); node++) {
      if (decision.judgement().isRefused(node)) {
        Status status = decision.judgement().refusal(node);
        for (String reason : status.reasons()) {
          counts
              .computeIfAbsent(status.plugin(), p -> new TreeMap<>())
              .merge(reason, 1, Integer::sum);
        }
      }
    }
    json.writeNumberField("feasible", decision.judgement().feasibleCount());
    json.writeObjectFieldStart("infeasible");
    for (Map.Entry<String, Map<String, Integer>> plugin : counts.entrySet()) {
      json.writeObjectFieldStart(plugin.getKey());
      for (Map.Entry<String, Integer> reason : plugin.getValue().entrySet()) {
        json.writeNumberField(reason.getKey(), reason.getValue());
      }
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  void row(Decision decision) {
    table.row(
        decision.pod().pod().key(),
        decision.node().isEmpty() ? "-" : decision.node(),
        isScored(decision) ? "" + decision.score() : "-",
        decision.nominated().isEmpty() ? "-" : decision.nominated(),
        decision.victims().isEmpty() ? "-" : String.join(",", names(decision.victims())),
        decision.message().replaceAll("\\s*\n\\s*", " "));
  }

  /** kube-scheduler does not score an only node. */
  private static boolean isScored(Decision decision) {
    return !decision.node().isEmpty()
        && (decision.judgement() == null || decision.judgement().feasibleCount() > 1);
  }

  private static List<String> names(List<PlacedPod> pods) {
    return pods.stream().map(pod -> pod.pod().key()).toList();
  }

  private String name(int node) {
    return cluster.nodes().node(node).name();
  }

  void flush() {
    try {
      json.flush();
      if (!table.isEmpty()) {
        table.print(out);
      }
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
