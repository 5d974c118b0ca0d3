// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.tuning.discovery.Definitions;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What CustomResourceDefinitions cost. */
@Command(
    name = "crds",
    mixinStandardHelpOptions = true,
    description = "Estimates and measures the cost of CustomResourceDefinitions.",
    subcommands = {CrdsCostCommand.class, CrdsCommand.Generate.class, CrdsMeasureCommand.class})
final class CrdsCommand {
  private CrdsCommand() {}

  /** Prints manifests for kubectl create. */
  @Command(
      name = "generate",
      mixinStandardHelpOptions = true,
      sortOptions = false,
      description =
          "Prints generated CustomResourceDefinitions as YAML: 'crds generate --count 100 | "
              + "kubectl create -f -'.")
  static final class Generate implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Option(
        names = "--count",
        paramLabel = "COUNT",
        defaultValue = "10",
        description = "Number of definitions (default: ${DEFAULT-VALUE}).")
    private int count;

    @Mixin private DefinitionOptions definitions;

    @Option(
        names = "--first",
        paramLabel = "NUMBER",
        defaultValue = "0",
        description =
            "Number of the first definition, to continue after others (default: ${DEFAULT-VALUE}).")
    private int first;

    @Override
    public Integer call() {
      DefinitionOptions.inRange("count", count, 1, DefinitionOptions.MOST);
      DefinitionOptions.inRange("first", first, 0, DefinitionOptions.MOST);
      int properties = definitions.properties();
      int spread = definitions.groups(first + count);
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
