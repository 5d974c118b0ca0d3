// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.tuning.addr.AddressDocument;
import io.exaplane.tuning.addr.AddressInput;
import io.exaplane.tuning.addr.AddressPlan;
import io.exaplane.tuning.addr.Providers;
import io.exaplane.tuning.version.VersionMatrix;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How many nodes and pods IPv6 networks carry, and the first thing that runs out. */
@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Shows how many nodes and pods an IPv6 network carries, and the first thing that runs out: a "
          + "quota of the provider, addresses, or a limit of Kubernetes.",
      "Quotas change. Each number has its source and date; set yours with --quota or in a file.",
      "Asks no provider and no API server."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the plan carries its nodes and pods, or no --provider was given",
      "1:something runs out before the last node, or a node has too few addresses for its pods",
      "2:an input cannot be read or is invalid"
    })
final class AddrPlanCommand implements Callable<Integer> {
  private CommandSpec spec;

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description =
          "YAML or JSON with these inputs by name, for example 'nodes: 5000'; plain or gzip. 'quotas' is a "
              + "map from names to numbers, 'parts' a list with the inputs of each network. - is "
              + "the standard input. Options override the file.")
  private Path file;

  @Option(
      names = "--quota",
      paramLabel = "NAME=COUNT",
      description = "Your quota, instead of the provider's default. Can be repeated.")
  private Map<String, String> quotas = Map.of();

  @Option(
      names = "--used",
      paramLabel = "NAME=COUNT",
      description = "How much of a quota others use already. Can be repeated.")
  private Map<String, String> used = Map.of();

  @Option(
      names = "--per-node",
      paramLabel = "NAME=COUNT",
      description =
          "How much of a quota each node uses, or each subnet or block of a quota of these."
              + " Can be repeated.")
  private Map<String, String> perNode = Map.of();

  @Mixin private FormatOption chosen;

  @Spec
  void describe(CommandSpec spec) {
    this.spec = spec;
    for (AddressInput input : AddressInput.values()) {
      spec.addOption(
          OptionSpec.builder("--" + input.key())
              .paramLabel(input.label())
              .type(String.class)
              .description(
                  "%s (default: %s)."
                      .formatted(ShapeOptions.sentence(input.meaning()), input.defaultText()))
              .build());
    }
  }

  @Override
  public Integer call() {
    AddrInputs inputs = new AddrInputs();
    if (file != null) {
      inputs.read(file);
    }
    inputs.takeOptions(spec.commandLine().getParseResult());
    inputs.takeQuotas(quotas, used, perNode);
    VersionMatrix matrix = VersionMatrix.load();
    Providers providers = Providers.load();
    PrintWriter out = spec.commandLine().getOut();
    if (!inputs.namesProvider()) {
      List<AddressPlan> plans = AddressPlan.compare(inputs.forAll(), providers, matrix);
      compare(plans, out);
      return 0;
    }
    AddressPlan plan = AddressPlan.of(inputs.common(), inputs.parts(), providers, matrix);
    if (chosen.format == TuneCommand.Format.TABLE) {
      new AddrOutput(out).plan(plan);
    } else {
      Documents.print(out, chosen.format, AddressDocument.of(plan));
    }
    return plan.carries() ? 0 : 1;
  }

  private void compare(List<AddressPlan> plans, PrintWriter out) {
    if (chosen.format == TuneCommand.Format.TABLE) {
      new AddrOutput(out).comparison(plans);
      return;
    }
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("plans", plans.stream().map(AddressDocument::of).toList());
    Documents.print(out, chosen.format, document);
  }
}
