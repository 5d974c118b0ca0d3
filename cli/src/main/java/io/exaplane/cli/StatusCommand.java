// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.cli.plane.Condition;
import io.exaplane.cli.plane.Kind;
import io.exaplane.cli.plane.Management;
import io.exaplane.cli.plane.ObjectTree;
import io.exaplane.cli.plane.PlaneView;
import io.exaplane.cli.plane.Situation;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A control plane on one screen. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Shows on one screen whether a ControlPlane is up, what the operator is doing, why not, and whose move it is.",
      "Below that is the tree of its objects. Several ControlPlanes have a line each."
    })
final class StatusCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "CONTROLPLANE",
      description = "A ControlPlane (default: all of the namespace).")
  private String name;

  @Option(
      names = {"-A", "--all-namespaces"},
      description = "Shows the ControlPlanes of all namespaces, one a line.")
  private boolean all;

  @Mixin private PlaneOptions where;
  @Mixin private FormatOption chosen;

  @Override
  public Integer call() {
    try (Management management = where.connect()) {
      String in = where.in(management);
      if (name == null || all) {
        List<JsonNode> planes = management.list(Kind.CONTROL_PLANE, all ? null : in, null);
        if (all || planes.size() > 1) {
          fleet(planes);
          return 0;
        }
      }
      PlaneView view = PlaneView.read(management, in, name);
      PrintWriter out = spec.commandLine().getOut();
      if (chosen.format == TuneCommand.Format.TABLE) {
        print(out, view);
      } else {
        Documents.print(out, chosen.format, document(view));
      }
    }
    return 0;
  }

  private void fleet(List<JsonNode> planes) {
    PrintWriter out = spec.commandLine().getOut();
    if (chosen.format != TuneCommand.Format.TABLE) {
      Documents.print(out, chosen.format, planes.stream().map(StatusCommand::summary).toList());
      return;
    }
    Table table = new Table("NAMESPACE", "NAME", "VERSION", "UP", "WHOSE MOVE", "NEXT");
    for (JsonNode plane : planes) {
      Situation situation = Situation.of(plane);
      table.row(
          plane.at("/metadata/namespace").asText(),
          PlaneView.name(plane),
          version(plane),
          situation.up().replaceAll("[,:].*", ""),
          situation.move().toString(),
          situation.next());
    }
    table.print(out);
  }

  /** The four answers and the tree, as text. */
  static void print(PrintWriter out, PlaneView view) {
    JsonNode plane = view.plane();
    Situation situation = Situation.of(plane);
    String endpoint = endpoint(plane);
    out.printf(
        "ControlPlane %s in namespace %s: version %s%s%n",
        view.name(),
        plane.at("/metadata/namespace").asText(),
        version(plane),
        endpoint.isEmpty() ? "" : ", " + endpoint);
    out.println("  Is it up?        " + situation.up());
    out.println("  Doing what?      " + situation.doing());
    if (situation.whyNot().isEmpty()) {
      out.println("  Why not?         nothing holds it back");
    }
    String head = "  Why not?         ";
    for (String each : situation.whyNot()) {
      out.println(head + each);
      head = "                   ";
    }
    out.println("  Whose move?      " + situation.move() + ": " + situation.next());
    out.println();
    Table table = new Table("");
    for (ObjectTree.Row row : ObjectTree.of(view).rows()) {
      table.row(row.object(), row.state(), row.words());
    }
    table.print(out);
    view.gaps().forEach(out::println);
    out.flush();
  }

  private static Map<String, Object> summary(JsonNode plane) {
    Situation situation = Situation.of(plane);
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("namespace", plane.at("/metadata/namespace").asText());
    document.put("name", PlaneView.name(plane));
    document.put("version", version(plane));
    document.put("endpoint", endpoint(plane));
    document.put("up", situation.up());
    document.put("doing", situation.doing());
    document.put("whyNot", situation.whyNot());
    document.put("move", situation.move());
    document.put("next", situation.next());
    return document;
  }

  private static Map<String, Object> document(PlaneView view) {
    Map<String, Object> document = summary(view.plane());
    document.put("conditions", Condition.of(view.plane()));
    document.put("tree", ObjectTree.of(view));
    document.put("gaps", view.gaps());
    return document;
  }

  private static String version(JsonNode plane) {
    String current = plane.at("/status/version/current").asText();
    String desired = plane.at("/spec/version").asText();
    if (current.isEmpty()) {
      return desired + " (not running yet)";
    }
    return current.equals(desired) ? current : current + " (to be " + desired + ")";
  }

  private static String endpoint(JsonNode plane) {
    String host = plane.at("/status/endpoint/host").asText();
    if (host.isEmpty()) {
      return "";
    }
    return "https://%s:%s"
        .formatted(
            host.contains(":") ? "[" + host + "]" : host,
            plane.at("/status/endpoint/port").asText());
  }
}
