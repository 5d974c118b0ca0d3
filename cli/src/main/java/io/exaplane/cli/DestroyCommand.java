// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.cli.plane.Destruction;
import io.exaplane.cli.plane.Management;
import io.exaplane.cli.plane.PlaneException;
import io.exaplane.tuning.model.InvalidInputException;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
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

/** Deletes a control plane, after questions. */
@Command(
    name = "destroy",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Deletes a ControlPlane with its tasks and pools, after you typed its name.",
      "Lists the objects and the data before, those that stay, too."
    })
final class DestroyCommand implements Callable<Integer> {
  private static final String DATA = "delete the data";

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "CONTROLPLANE", description = "The ControlPlane.")
  private String name;

  @Option(
      names = "--confirm",
      paramLabel = "NAME",
      description = "The name, for scripts: the question is not asked.")
  private String confirmed;

  @Option(
      names = "--delete-data",
      description =
          "For scripts, if spec.storage.deletion is Delete: the question about the data is not"
              + " asked.")
  private boolean dataConfirmed;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "300",
      description = "How long to wait until everything is deleted (default: ${DEFAULT-VALUE}).")
  private int timeout;

  @Mixin private PlaneOptions where;
  @Mixin private FormatOption chosen;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (timeout < 1 || timeout > 86_400) {
      throw new InvalidInputException(
          "timeout", Integer.toString(timeout), "must be 1 to 86400 seconds", "write 300");
    }
    try (Management management = where.connect()) {
      JsonNode plane = where.plane(management, name);
      Destruction destruction = Destruction.of(management, where.in(management), plane);
      PrintWriter err = spec.commandLine().getErr();
      destruction.plan().forEach(err::println);
      ask(destruction.deletesData());
      List<String> done =
          destruction.carryOut(
              Duration.ofSeconds(timeout),
              each -> {
                if (chosen.format == TuneCommand.Format.TABLE) {
                  spec.commandLine().getOut().println(each);
                  spec.commandLine().getOut().flush();
                }
              });
      if (chosen.format != TuneCommand.Format.TABLE) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("controlPlane", name);
        document.put("done", done);
        document.put("kept", destruction.kept());
        Documents.print(spec.commandLine().getOut(), chosen.format, document);
      }
    }
    return 0;
  }

  private void ask(boolean deletesData) throws IOException {
    Questions questions = new Questions(spec.commandLine().getErr());
    answer(
        questions,
        "Type the name of the ControlPlane to delete it: ",
        name,
        confirmed,
        "confirm",
        "add --confirm=" + name);
    if (deletesData) {
      String given = dataConfirmed ? DATA : confirmed == null ? null : "";
      answer(
          questions,
          "Type '" + DATA + "' to delete the data, too: ",
          DATA,
          given,
          "delete-data",
          "add --delete-data");
    }
  }

  private void answer(
      Questions questions,
      String question,
      String expected,
      String given,
      String option,
      String next)
      throws IOException {
    String answer = given == null ? questions.ask(question, option, next) : given;
    if (!answer.strip().equals(expected)) {
      throw new PlaneException(
          "nothing was deleted: '%s' is not '%s'; repeat the command if you want to delete ControlPlane %s"
              .formatted(answer.strip(), expected, name));
    }
  }
}
