// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Pages for man, in roff with the macros of man(7), from the commands themselves. Pure. */
final class ManPages {
  private static final int WIDTH = 72;

  private final String version;
  private final Map<String, String> rootCodes;
  private final Map<String, String> pages = new LinkedHashMap<>();

  private ManPages(String version, Map<String, String> rootCodes) {
    this.version = version;
    this.rootCodes = rootCodes;
  }

  /**
   * The page of each command that help shows, by the name of its file, as exactl-status.1.
   *
   * @param version for the foot of the page
   */
  static Map<String, String> of(CommandLine root, String version) {
    root.setUsageHelpAutoWidth(false).setUsageHelpWidth(WIDTH);
    ManPages pages = new ManPages(version, root.getCommandSpec().usageMessage().exitCodeList());
    pages.add(root, null);
    return pages.pages;
  }

  private static String name(CommandSpec spec) {
    return spec.qualifiedName("-").replace(' ', '-');
  }

  private void add(CommandLine command, CommandLine parent) {
    CommandSpec spec = command.getCommandSpec();
    String words = words(spec.usageMessage().description());
    StringBuilder page = new StringBuilder();
    page.append(
        ".TH \"%s\" 1 \"\" \"Exaplane %s\" \"Exaplane\"\n"
            .formatted(roff(name(spec).toUpperCase(Locale.ROOT)), roff(version)));
    page.append(".SH NAME\n%s \\- %s\n".formatted(roff(name(spec)), roff(lead(words))));
    page.append(".SH SYNOPSIS\n.nf\n").append(lines(synopsis(spec))).append(".fi\n");
    page.append(".SH DESCRIPTION\n").append(lines(words));
    arguments(spec, page);
    List<CommandLine> inside = inside(command);
    if (!inside.isEmpty()) {
      page.append(".SH COMMANDS\n");
      for (CommandLine each : inside) {
        page.append(".TP\n\\fB").append(roff(each.getCommandName())).append("\\fR\n");
        page.append(lines(lead(words(each.getCommandSpec().usageMessage().description()))));
      }
    }
    Map<String, String> own = spec.usageMessage().exitCodeList();
    page.append(".SH EXIT STATUS\n");
    (own.isEmpty() ? rootCodes : own)
        .forEach(
            (code, meaning) ->
                page.append(".TP\n%s\n".formatted(roff(code))).append(lines(words(meaning))));
    seeAlso(parent, inside, page);
    pages.put(name(spec) + ".1", page.toString());
    inside.forEach(each -> add(each, command));
  }

  /** Each command once, by its own name. */
  private static List<CommandLine> inside(CommandLine command) {
    List<CommandLine> found = new ArrayList<>();
    command
        .getSubcommands()
        .forEach(
            (name, each) -> {
              if (name.equals(each.getCommandName())
                  && !each.getCommandSpec().usageMessage().hidden()) {
                found.add(each);
              }
            });
    return found;
  }

  private static String synopsis(CommandSpec spec) {
    return new CommandLine.Help(spec, CommandLine.Help.defaultColorScheme(Ansi.OFF)).synopsis(0);
  }

  private static void arguments(CommandSpec spec, StringBuilder page) {
    StringBuilder rows = new StringBuilder();
    for (PositionalParamSpec parameter : spec.positionalParameters()) {
      if (!parameter.hidden()) {
        row("\\fI" + roff(parameter.paramLabel()) + "\\fR", parameter, rows);
      }
    }
    for (OptionSpec option : spec.options()) {
      if (!option.hidden()) {
        String label = option.arity().max() > 0 ? "=\\fI" + roff(option.paramLabel()) + "\\fR" : "";
        List<String> names = new ArrayList<>();
        for (String each : option.names()) {
          names.add("\\fB" + roff(each) + "\\fR");
        }
        row(String.join(", ", names) + label, option, rows);
      }
    }
    if (!rows.isEmpty()) {
      page.append(".SH OPTIONS\n").append(rows);
    }
  }

  private static void row(String head, ArgSpec argument, StringBuilder rows) {
    rows.append(".TP\n").append(head).append('\n');
    rows.append(lines((argument.required() ? "Required. " : "") + words(argument.description())));
  }

  private static void seeAlso(CommandLine parent, List<CommandLine> inside, StringBuilder page) {
    List<String> names = new ArrayList<>();
    if (parent != null) {
      names.add(name(parent.getCommandSpec()));
    }
    inside.forEach(each -> names.add(name(each.getCommandSpec())));
    if (!names.isEmpty()) {
      page.append(".SH SEE ALSO\n");
      page.append(
          String.join(",\n", names.stream().map(each -> "\\fB" + roff(each) + "\\fR(1)").toList()));
      page.append('\n');
    }
  }

  /** The first sentence, without its full stop. */
  private static String lead(String words) {
    int end = words.indexOf(". ");
    return end < 0 ? words.replaceAll("\\.$", "") : words.substring(0, end);
  }

  private static String words(String... lines) {
    return String.join(" ", lines)
        .replaceAll("(?<=[^%])%n", " ")
        .replace("%%", "%")
        .replaceAll("\\s+", " ")
        .strip();
  }

  private static String lines(String text) {
    StringBuilder lines = new StringBuilder();
    text.strip().lines().forEach(line -> lines.append(roff(line)).append('\n'));
    return lines.toString();
  }

  /** Text that roff prints as it is, in ASCII. */
  static String roff(String text) {
    StringBuilder escaped = new StringBuilder();
    if (text.startsWith(".") || text.startsWith("'")) {
      escaped.append("\\&");
    }
    text.codePoints()
        .forEach(
            each -> {
              switch (each) {
                case '\\' -> escaped.append("\\e");
                case '-' -> escaped.append("\\-");
                case '"' -> escaped.append("\\(dq");
                default -> {
                  if (each < 128) {
                    escaped.appendCodePoint(each);
                  } else {
                    escaped.append("\\[u%04X]".formatted(each));
                  }
                }
              }
            });
    return escaped.toString();
  }
}
