// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Completions for shells and for kubectl. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    description = {
      "Prints completions for bash and zsh.",
      "Load them with 'source <(kubectl-exaplane completion)'. For kubectl itself, the program kubectl_complete-exaplane is beside kubectl-exaplane."
    })
final class CompletionCommand implements Callable<Integer> {
  /** By what kubectl's helper asks for words. */
  static final String ASKED = "__complete";

  /** kubectl's word for: no files. */
  private static final String NO_FILES = ":4";

  private static final String FILES = ":0";

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    CommandLine root = spec.root().commandLine();
    PrintWriter out = spec.commandLine().getOut();
    out.print(AutoComplete.bash(Exactl.program(), root));
    out.flush();
    return 0;
  }

  /** Prints the words that can stand for the last one, and whether it can be a file. */
  static void complete(PrintWriter out, String[] words) {
    String[] given = words.length == 0 ? new String[] {""} : words;
    String last = given[given.length - 1];
    List<CharSequence> found = new ArrayList<>();
    AutoComplete.complete(
        Exactl.commandLine().getCommandSpec(),
        given,
        given.length - 1,
        last.length(),
        String.join(" ", given).length(),
        found);
    found.stream().map(each -> last + each).sorted().distinct().forEach(out::println);
    out.println(found.isEmpty() ? FILES : NO_FILES);
    out.flush();
  }
}
