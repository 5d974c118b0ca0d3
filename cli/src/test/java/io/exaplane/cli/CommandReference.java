// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The page of exactl's commands, from the commands themselves. Hidden ones are left out. */
final class CommandReference {
  private static final String HEAD =
      """
      # Commands of exactl

      `exactl`, `./exa` and `kubectl exaplane` are one program. `./exa generate` writes this page from its commands. Every command also has `--help` and
      `--version`.
      """;

  private static final int WIDTH = 120;
  private static final int LINE = 140;

  private CommandReference() {}

  /** The page of a command with all of its subcommands. */
  static String page(CommandLine root) {
    // The terminal's width shall not be on the page.
    root.setUsageHelpAutoWidth(false).setUsageHelpWidth(WIDTH);
    StringBuilder page = new StringBuilder(HEAD);
    command(root, page);
    return page.toString();
  }

  private static void command(CommandLine command, StringBuilder page) {
    CommandSpec spec = command.getCommandSpec();
    page.append("\n## ").append(spec.qualifiedName()).append("\n\n");
    page.append(lines(words(spec.usageMessage().description()))).append("\n\n");
    page.append("```\n")
        .append(
            new CommandLine.Help(spec, CommandLine.Help.defaultColorScheme(Ansi.OFF))
                .synopsis(0)
                .strip())
        .append("\n```\n");
    List<String> rows = new ArrayList<>();
    for (PositionalParamSpec parameter : spec.positionalParameters()) {
      if (!parameter.hidden()) {
        rows.add(row(parameter.paramLabel(), parameter));
      }
    }
    for (OptionSpec option : spec.options()) {
      if (!option.hidden() && !option.usageHelp() && !option.versionHelp()) {
        rows.add(row(String.join("`, `", option.names()), option));
      }
    }
    if (!rows.isEmpty()) {
      page.append("\n| option | value | meaning |\n|---|---|---|\n");
      rows.forEach(page::append);
    }
    exitCodes(spec, page);
    for (Map.Entry<String, CommandLine> inside : command.getSubcommands().entrySet()) {
      boolean isItsName = inside.getKey().equals(inside.getValue().getCommandName());
      if (isItsName && !inside.getValue().getCommandSpec().usageMessage().hidden()) {
        command(inside.getValue(), page);
      }
    }
  }

  private static String row(String names, ArgSpec argument) {
    boolean hasValue = argument.arity().max() > 0;
    return "| `%s` | %s | %s |\n"
        .formatted(
            names,
            hasValue ? "`" + argument.paramLabel().replace("|", "\\|") + "`" : "",
            (argument.required() ? "Required. " : "") + words(argument.description()));
  }

  private static void exitCodes(CommandSpec spec, StringBuilder page) {
    Map<String, String> codes = spec.usageMessage().exitCodeList();
    if (!codes.isEmpty()) {
      page.append("\n| exit code | meaning |\n|---|---|\n");
      codes.forEach((code, meaning) -> page.append("| %s | %s |\n".formatted(code, cell(meaning))));
    }
  }

  private static String words(String... lines) {
    return cell(String.join(" ", lines)).replaceAll("(?<=[^%])%n", " ").replace("%%", "%");
  }

  /** Breaks before words that Markdown cannot take for the beginning of a list. */
  private static String lines(String text) {
    StringBuilder lines = new StringBuilder();
    int length = 0;
    for (String word : text.split(" ")) {
      if (length > 0) {
        boolean isFull = length + 1 + word.length() > LINE && Character.isLetter(word.charAt(0));
        lines.append(isFull ? '\n' : ' ');
        length = isFull ? 0 : length + 1;
      }
      lines.append(word);
      length += word.length();
    }
    return lines.toString();
  }

  private static String cell(String text) {
    return text.replace("|", "\\|").replace("<", "&lt;").replaceAll("\\s+", " ").strip();
  }
}
