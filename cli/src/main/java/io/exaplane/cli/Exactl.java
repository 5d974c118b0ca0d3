// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.exaplane.tuning.version.GoNumbers;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.TypeConversionException;

/** The command line for people who run control planes, ours or others. */
@Command(
    name = "exactl",
    mixinStandardHelpOptions = true,
    description =
        "Tunes and plans control planes of Kubernetes clusters, simulates kube-scheduler, and "
            + "shows Exaplane's control planes, scheduler and stores.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the answer is complete, or the change is made",
      "1:the cluster refuses or does not answer, or what was measured failed",
      "2:an option or a file is wrong; nothing was done"
    })
public final class Exactl {
  /** What was asked for can't be. */
  static final int BAD_INPUT = 2;

  /** A measurement could not be made. */
  static final int FAILED = 1;

  /** Says as what it was called: exactl, or kubectl-exaplane. */
  private static final String NAME = "exactl.name";

  private static final String PLUGIN = "kubectl-exaplane";

  private static final String GROUPS_PROPERTY = "jdk.tls.namedGroups";

  /**
   * Groups of TLS in their order. The first two groups of different kinds get keys before a server
   * is asked, and a key of P-256 takes a tenth of a second of a Java that just began. So it stands
   * behind: a server that needs P-256 asks for such a key.
   */
  static final String GROUPS =
      "x25519,ffdhe2048,secp256r1,secp384r1,secp521r1,x448,ffdhe3072,ffdhe4096";

  /** All commands, as the help lists them. */
  private static final List<Class<?>> COMMANDS =
      List.of(
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
          StoreCommand.class,
          TraceCommand.class,
          StatusCommand.class,
          ConsoleCommand.class,
          WhyCommand.class,
          ExplainCommand.class,
          TopCommand.class,
          LogsCommand.class,
          RolloutCommand.class,
          JoinCommand.class,
          KubeconfigCommand.class,
          ReportCommand.class,
          ReshardCommand.class,
          DestroyCommand.class,
          ManCommand.class,
          CompletionCommand.class);

  /** Words whose answer is about no command. */
  private static final Set<String> VERSION = Set.of("-V", "--version");

  /** Those whose answer is about all commands. */
  private static final Set<Class<?>> OF_ALL = Set.of(ManCommand.class, CompletionCommand.class);

  private Exactl() {}

  /** The name of the program as a shell knows it. */
  static String program() {
    return System.getProperty(NAME, "exactl");
  }

  public static void main(String[] arguments) {
    // Otherwise each command opens all jars to find the one place to log to.
    System.setProperty("slf4j.internal.verbosity", "WARN");
    System.setProperty("slf4j.provider", "org.slf4j.nop.NOPServiceProvider");
    System.setProperty(GROUPS_PROPERTY, System.getProperty(GROUPS_PROPERTY, GROUPS));
    StandardOutput output = new StandardOutput(new FileOutputStream(FileDescriptor.out));
    PrintStream answer = new PrintStream(new BufferedOutputStream(output), false, UTF_8);
    System.setOut(answer);
    CommandLine commandLine = commandLine(arguments).setOut(StandardOutput.writer(answer));
    System.exit(output.exitCode(execute(commandLine, arguments), answer, System.err));
  }

  /** Runs one command, which says what it has to say there, and returns its exit code. */
  public static int run(PrintWriter out, PrintWriter err, String... arguments) {
    return execute(commandLine(arguments).setOut(out).setErr(err), arguments);
  }

  /** Words that are to be completed are no commands yet. */
  private static int execute(CommandLine commandLine, String... arguments) {
    if (arguments.length > 0 && arguments[0].equals(CompletionCommand.ASKED)) {
      String[] words = Arrays.copyOfRange(arguments, 1, arguments.length);
      CompletionCommand.complete(commandLine.getOut(), words);
      return 0;
    }
    return commandLine.execute(arguments);
  }

  /** With all commands. */
  static CommandLine commandLine() {
    return commandLine(new String[0]);
  }

  /**
   * With the command that the first word names, or with all: to read the options of all commands
   * takes as long as a command does.
   */
  static CommandLine commandLine(String[] arguments) {
    CommandLine commandLine = new CommandLine(new Exactl());
    List<Class<?>> named = COMMANDS.stream().filter(each -> isNamed(each, arguments)).toList();
    boolean one = !named.isEmpty() && !OF_ALL.contains(named.getFirst());
    boolean none = arguments.length > 0 && VERSION.contains(arguments[0]);
    (one || none ? named : COMMANDS).forEach(each -> commandLine.addSubcommand(name(each), each));
    provideVersion(commandLine);
    commandLine.registerConverter(double.class, Exactl::number);
    if (program().equals(PLUGIN)) {
      commandLine.setCommandName("kubectl exaplane");
    }
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

  /** In digits: Java would take 5d, which may mean five a day, for 5. */
  private static double number(String text) {
    try {
      return GoNumbers.decimal(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("'%s' is not a double".formatted(text));
    }
  }

  private static boolean isNamed(Class<?> command, String[] arguments) {
    return arguments.length > 0 && name(command).equals(arguments[0]);
  }

  /** Of a class such as StatusCommand, whose annotation says the same. */
  private static String name(Class<?> command) {
    return command.getSimpleName().replaceFirst("Command$", "").toLowerCase(Locale.ROOT);
  }

  private static void provideVersion(CommandLine command) {
    command.getCommandSpec().versionProvider(new BuildVersion());
    command.getSubcommands().values().forEach(Exactl::provideVersion);
  }
}
