// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.cli.plane.Kind;
import io.exaplane.cli.plane.Management;
import io.exaplane.cli.plane.PlaneException;
import io.exaplane.tuning.model.InvalidInputException;
import io.exaplane.tuning.version.Durations;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What the meltdown guard of control planes decided. */
@Command(
    name = "guard",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Lists the decisions of the meltdown guard, with their numbers, from the status of",
      "ControlPlanes. In the mode Observe, these are the decisions that it would have applied."
    })
final class GuardCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "CONTROLPLANE",
      description = "A ControlPlane (default: all of the namespace).")
  private String name;

  @Option(
      names = "--last",
      paramLabel = "DURATION",
      defaultValue = "1h",
      description =
          "Shows the decisions of this time, for example 30m or 24h (default: ${DEFAULT-VALUE}). A"
              + " ControlPlane keeps 32 decisions.")
  private String last;

  @Mixin private PlaneOptions where;
  @Mixin private FormatOption chosen;

  @Override
  public Integer call() {
    Instant since = Instant.now().minus(length());
    PrintWriter out = spec.commandLine().getOut();
    List<GuardDecision> decisions = GuardDecision.of(read(), name, since);
    if (chosen.format != TuneCommand.Format.TABLE) {
      Documents.print(out, chosen.format, decisions);
    } else if (decisions.isEmpty()) {
      out.printf("no decisions in the last %s%n", last);
      out.flush();
    } else {
      Table table = new Table("TIME", "CONTROLPLANE", "DECISION", "REASON", "NUMBERS");
      decisions.forEach(
          each ->
              table.row(each.at(), each.controlPlane(), each.act(), each.reason(), each.message()));
      table.print(out);
    }
    return 0;
  }

  private Duration length() {
    try {
      Duration length = Duration.ofNanos(Durations.nanos(last));
      if (length.isPositive()) {
        return length;
      }
    } catch (IllegalArgumentException e) {
      // Said below.
    }
    throw new InvalidInputException("last", last, "must be a duration above 0", "write it as 1h");
  }

  private List<JsonNode> read() {
    try (Management management = where.connect()) {
      String in = where.in(management);
      List<JsonNode> found = management.list(Kind.CONTROL_PLANE, in, null);
      if (found.isEmpty()) {
        throw new PlaneException(
            "namespace %s has no ControlPlane; list them with 'kubectl get cpl -A', and set --namespace"
                .formatted(in));
      }
      return found;
    }
  }
}
