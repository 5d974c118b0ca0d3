// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.cli.plane.Kind;
import io.exaplane.cli.plane.Management;
import io.exaplane.cli.plane.PlaneView;
import io.exaplane.cli.plane.RolloutChange;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A command that changes how a ControlPlane rolls. */
abstract class RolloutChangeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "CONTROLPLANE",
      description = "A ControlPlane (default: the only one of the namespace).")
  private String name;

  @Mixin private PlaneOptions where;
  @Mixin private FormatOption chosen;

  /** What is to change in a ControlPlane. */
  abstract RolloutChange change(JsonNode plane);

  @Override
  public Integer call() {
    String title;
    RolloutChange change;
    try (Management management = where.connect()) {
      JsonNode plane = where.plane(management, name);
      title = PlaneView.name(plane);
      change = change(plane);
      if (!change.isNothing()) {
        management.patch(Kind.CONTROL_PLANE, where.in(management), title, change.patch());
      }
    }
    PrintWriter out = spec.commandLine().getOut();
    if (chosen.format == TuneCommand.Format.TABLE) {
      out.println("ControlPlane " + title + " " + change.words());
      out.flush();
    } else {
      Map<String, Object> document = new LinkedHashMap<>();
      document.put("controlPlane", title);
      document.put("changed", !change.isNothing());
      document.put("patch", change.patch());
      document.put("words", change.words());
      Documents.print(out, chosen.format, document);
    }
    return 0;
  }
}
