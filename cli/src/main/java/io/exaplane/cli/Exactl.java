// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.cli.measure.MeasurementException;
import io.exaplane.scheduler.model.InvalidObjectException;
import io.exaplane.tuning.model.InvalidInputException;
import java.io.UncheckedIOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line for people who run control planes, ours or others. */
@Command(
    name = "exactl",
    mixinStandardHelpOptions = true,
    description =
        "Tunes and plans the control planes of Kubernetes clusters, simulates their scheduler, and looks at ours.",
    subcommands = {
      TuneCommand.class,
      PlanCommand.class,
      ListsCommand.class,
      CrdsCommand.class,
      SimulateCommand.class,
      PoolCommand.class
    })
public final class Exactl {
  /** What was asked for can't be. */
  static final int BAD_INPUT = 2;

  /** A measurement could not be made. */
  static final int FAILED = 1;

  private Exactl() {}

  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    CommandLine commandLine = new CommandLine(new Exactl());
    provideVersion(commandLine);
    commandLine.setCaseInsensitiveEnumValuesAllowed(true);
    commandLine.setUsageHelpAutoWidth(true);
    commandLine.setExecutionExceptionHandler(
        (failure, command, result) -> {
          if (failure instanceof InvalidInputException
              || failure instanceof InvalidObjectException
              || failure instanceof UncheckedIOException) {
            command.getErr().println("error: " + failure.getMessage());
            return BAD_INPUT;
          }
          if (failure instanceof MeasurementException) {
            command.getErr().println("error: " + failure.getMessage());
            for (Throwable also : failure.getSuppressed()) {
              command.getErr().println("error: " + also.getMessage());
            }
            return FAILED;
          }
          throw failure;
        });
    return commandLine;
  }

  private static void provideVersion(CommandLine command) {
    command.getCommandSpec().versionProvider(new BuildVersion());
    command.getSubcommands().values().forEach(Exactl::provideVersion);
  }
}
