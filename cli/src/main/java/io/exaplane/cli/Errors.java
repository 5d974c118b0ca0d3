// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.cli.etcd.StoreFailure;
import io.exaplane.cli.measure.MeasurementException;
import io.exaplane.cli.plane.PlaneException;
import io.exaplane.scheduler.engine.model.InvalidObjectException;
import io.exaplane.tuning.model.InvalidInputException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says what is wrong in one line, and what to do; usage is for who asks. */
final class Errors {
  /** Prints where a fault of ours is, for who looks for it. */
  private static final String TRACE = "exactl.trace";

  /** What picocli says of a word that is no number. */
  private static final Pattern TYPE = Pattern.compile("is not an? (?:int|long|double|float)\\b");

  private static final int SUGGESTED = 3;

  private Errors() {}

  /** What was asked for does not parse. */
  static int ofParameters(ParameterException e, String[] arguments) {
    CommandLine command = e.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    String next = "'" + name + " --help' lists the options";
    String what = TYPE.matcher(line(e.getMessage())).replaceAll("must be a number");
    if (what.startsWith("Missing required subcommand")) {
      what = name + " needs a command: " + String.join(", ", command.getSubcommands().keySet());
      next = "'" + name + " --help' describes the commands";
    } else if (e instanceof UnmatchedArgumentException unmatched
        && !unmatched.getSuggestions().isEmpty()) {
      List<String> similar = unmatched.getSuggestions();
      next =
          "did you mean "
              + String.join(" or ", similar.subList(0, Math.min(SUGGESTED, similar.size())))
              + "? "
              + next;
    }
    command.getErr().println("error: " + what + "; " + next);
    return Exactl.BAD_INPUT;
  }

  /** What was asked for can't be, or failed. */
  static int ofExecution(Exception failure, CommandLine command, ParseResult parsed) {
    PrintWriter err = command.getErr();
    if (failure instanceof InvalidInputException
        || failure instanceof InvalidObjectException
        || failure instanceof UncheckedIOException) {
      err.println("error: " + line(failure.getMessage()));
      return Exactl.BAD_INPUT;
    }
    if (failure instanceof MeasurementException
        || failure instanceof StoreFailure
        || failure instanceof PlaneException) {
      err.println("error: " + line(failure.getMessage()));
      for (Throwable also : failure.getSuppressed()) {
        err.println("error: " + line(also.getMessage()));
      }
      return Exactl.FAILED;
    }
    if (Boolean.getBoolean(TRACE)) {
      failure.printStackTrace(err);
    }
    err.println(
        "error: %s has a bug (%s); report the command and its output with EXA_JAVA_OPTIONS=-D%s=true"
            .formatted(command.getCommandSpec().qualifiedName(), line(failure.toString()), TRACE));
    return Exactl.FAILED;
  }

  private static String line(String message) {
    return message == null ? "no reason is given" : message.strip().replaceAll("\\s*\\R\\s*", " ");
  }

  /** Nobody can read it twice. */
  static void checkStandardInput(ParseResult parsed) {
    long named = 0;
    for (ParseResult at = parsed; at != null; at = at.subcommand()) {
      named +=
          at.matchedArgs().stream()
              .flatMap(Errors::paths)
              .filter(TextFiles::isStandardInput)
              .count();
    }
    if (named > 1) {
      throw new ParameterException(
          parsed.commandSpec().commandLine(),
          "the standard input, -, is named %d times; name the standard input once"
              .formatted(named));
    }
  }

  private static Stream<Path> paths(ArgSpec argument) {
    Object value = argument.getValue();
    return switch (value) {
      case Path path -> Stream.of(path);
      case List<?> list -> list.stream().filter(Path.class::isInstance).map(Path.class::cast);
      case null, default -> Stream.empty();
    };
  }
}
