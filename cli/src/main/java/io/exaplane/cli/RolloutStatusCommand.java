// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.cli.plane.Management;
import io.exaplane.cli.plane.PlaneView;
import io.exaplane.cli.plane.Situation;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** How far a rollout is. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Shows the rollout that is under way: the component, the step, and the gates that hold it.")
final class RolloutStatusCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "CONTROLPLANE",
      description = "A ControlPlane (default: the only one of the namespace).")
  private String name;

  @Mixin private PlaneOptions where;
  @Mixin private FormatOption chosen;

  @Override
  public Integer call() {
    JsonNode plane;
    try (Management management = where.connect()) {
      plane = where.plane(management, name);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (chosen.format == TuneCommand.Format.TABLE) {
      print(out, plane);
    } else {
      Documents.print(out, chosen.format, document(plane));
    }
    return 0;
  }

  private static void print(PrintWriter out, JsonNode plane) {
    JsonNode rollout = plane.at("/status/rollout");
    String paused = plane.at("/spec/pausedUntil").asText();
    out.println("ControlPlane " + PlaneView.name(plane) + ": " + Situation.of(plane).doing());
    if (!paused.isEmpty()) {
      out.println(
          "spec.pausedUntil is %s: the operator changes nothing until then".formatted(paused));
    }
    out.println("bundle: " + plane.at("/status/bundle").asText("unknown"));
    if (!rollout.path("lastWords").asText().isEmpty()) {
      out.println("last message of the new pod: " + rollout.path("lastWords").asText());
    }
    Table table = new Table("GATE", "HOLDS", "FIGURE", "LIMIT", "SINCE", "OPENS", "WAITS FOR");
    for (JsonNode gate : rollout.path("blockedBy")) {
      table.row(
          gate.path("gate").asText(),
          gate.path("component").asText(),
          gate.path("number").asText("-"),
          gate.path("limit").asText("-"),
          gate.path("since").asText(),
          gate.path("expectedEnd").asText("-"),
          gate.path("message").asText());
    }
    JsonNode turn = plane.at("/status/turn");
    if (turn.path("state").asText().equals("Waiting")) {
      table.row(
          "WaitingForTurn",
          "all",
          "place " + turn.path("position").asText("unknown"),
          turn.path("atOnce").asText("-") + " at once",
          turn.path("since").asText(),
          "-",
          "other control planes");
    }
    if (!table.isEmpty()) {
      table.print(out);
    }
    for (JsonNode other : rollout.path("others")) {
      out.printf("%s: %s%n", other.path("component").asText(), other.path("step").asText());
    }
    out.flush();
  }

  private static Map<String, Object> document(JsonNode plane) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("controlPlane", PlaneView.name(plane));
    document.put("doing", Situation.of(plane).doing());
    document.put("pausedUntil", plane.at("/spec/pausedUntil").asText());
    document.put("bundle", plane.at("/status/bundle").asText());
    document.put("rollout", orNull(plane.at("/status/rollout")));
    document.put("turn", orNull(plane.at("/status/turn")));
    return document;
  }

  private static JsonNode orNull(JsonNode node) {
    return node.isMissingNode() ? null : node;
  }
}
