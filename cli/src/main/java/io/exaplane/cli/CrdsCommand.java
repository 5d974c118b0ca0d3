// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.tuning.discovery.Definitions;
import io.exaplane.tuning.model.InvalidInputException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** CustomResourceDefinitions for measurements. */
@Command(
    name = "crds",
    mixinStandardHelpOptions = true,
    description = "CustomResourceDefinitions for measurements of a control plane.",
    subcommands = {CrdsCommand.Generate.class, CrdsMeasureCommand.class})
final class CrdsCommand {
  static final int MOST = 20_000;
  static final int MOST_PROPERTIES = 10_000;

  private CrdsCommand() {}

  static void inRange(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new InvalidInputException(
          option,
          Integer.toString(value),
          "must lie between " + least + " and " + most,
          "see --help");
    }
  }

  /** Prints manifests for kubectl create. */
  @Command(
      name = "generate",
      mixinStandardHelpOptions = true,
      sortOptions = false,
      description =
          "Prints CustomResourceDefinitions, made up, as YAML: 'crds generate --count 100 | kubectl create -f -'.")
  static final class Generate implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Option(
        names = "--count",
        paramLabel = "COUNT",
        defaultValue = "10",
        description = "How many (default: ${DEFAULT-VALUE}).")
    private int count;

    @Option(
        names = "--groups",
        paramLabel = "COUNT",
        description = "API groups that they are spread over (default: one for each).")
    private Integer groups;

    @Option(
        names = "--properties",
        paramLabel = "COUNT",
        defaultValue = "100",
        description =
            "Fields of each schema; 100 are 12 KiB of schema (default: ${DEFAULT-VALUE}).")
    private int properties;

    @Option(
        names = "--first",
        paramLabel = "NUMBER",
        defaultValue = "0",
        description = "Number of the first, to go on behind others (default: ${DEFAULT-VALUE}).")
    private int first;

    @Override
    public Integer call() {
      inRange("count", count, 1, MOST);
      inRange("properties", properties, 1, MOST_PROPERTIES);
      inRange("first", first, 0, MOST);
      int spread = groups == null ? first + count : groups;
      inRange("groups", spread, 1, 2 * MOST);
      PrintWriter out = spec.commandLine().getOut();
      for (int i = first; i < first + count; i++) {
        List<Map<String, Object>> one = Definitions.of(i, 1, properties, spread);
        out.println("---");
        out.print(Documents.yaml(one.getFirst()));
      }
      out.flush();
      return 0;
    }
  }
}
