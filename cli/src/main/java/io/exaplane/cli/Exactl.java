// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line for people who run control planes, ours or others. */
@Command(
    name = "exactl",
    mixinStandardHelpOptions = true,
    description =
        "Tunes and plans control planes of Kubernetes clusters, simulates kube-scheduler, and "
            + "shows Exaplane's scheduler and stores.",
    subcommands = {
      TuneCommand.class,
      PlanCommand.class,
      AlertsCommand.class,
      DashboardsCommand.class,
      MonitorsCommand.class,
      ListsCommand.class,
      CrdsCommand.class,
      SimulateCommand.class,
      AddrCommand.class,
      PoolCommand.class,
      GuardCommand.class,
      ApplyCommand.class,
      BenchCommand.class,
      StoreCommand.class
    })
public final class Exactl {
  /** What was asked for can't be. */
  static final int BAD_INPUT = 2;

  /** A measurement could not be made. */
  static final int FAILED = 1;

  private Exactl() {}

  public static void main(String[] arguments) {
    StandardOutput output = new StandardOutput(new FileOutputStream(FileDescriptor.out));
    PrintStream answer = new PrintStream(new BufferedOutputStream(output), false, UTF_8);
    System.setOut(answer);
    System.exit(output.exitCode(commandLine().execute(arguments), answer, System.err));
  }

  /** Runs one command, which says what it has to say there, and returns its exit code. */
  public static int run(PrintWriter out, PrintWriter err, String... arguments) {
    return commandLine().setOut(out).setErr(err).execute(arguments);
  }

  static CommandLine commandLine() {
    CommandLine commandLine = new CommandLine(new Exactl());
    provideVersion(commandLine);
    commandLine.setCaseInsensitiveEnumValuesAllowed(true);
    commandLine.setUsageHelpAutoWidth(true);
    commandLine.setParameterExceptionHandler(Errors::ofParameters);
    commandLine.setExecutionExceptionHandler(Errors::ofExecution);
    commandLine.setExecutionStrategy(
        parsed -> {
          Errors.checkStandardInput(parsed);
          return new CommandLine.RunLast().execute(parsed);
        });
    return commandLine;
  }

  private static void provideVersion(CommandLine command) {
    command.getCommandSpec().versionProvider(new BuildVersion());
    command.getSubcommands().values().forEach(Exactl::provideVersion);
  }
}
