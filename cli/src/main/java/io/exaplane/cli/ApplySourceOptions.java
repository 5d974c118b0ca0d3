// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.tuning.model.InvalidInputException;
import picocli.CommandLine.Option;

/** Which source is meant, and where its inventory stands. */
final class ApplySourceOptions {
  @Option(
      names = "--source",
      paramLabel = "NAME",
      description =
          "Name of the source: of its inventory, a ConfigMap in the namespace (default: exactl)."
              + " --prune needs it.")
  private String named;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      defaultValue = "default",
      description =
          "Namespace of the inventory, and of objects that name none (default: ${DEFAULT-VALUE}).")
  String namespace;

  /** Pruning by a name that all folders share would delete what another folder applied. */
  void requireNamed() {
    if (named == null) {
      throw new InvalidInputException(
          "source",
          "",
          "must be named with --prune, since other folders may have the same default",
          "add --source NAME, a name for these files alone");
    }
  }

  ApplySet set() {
    String source = named == null ? "exactl" : named;
    if (namespace.isEmpty()) {
      throw new InvalidInputException(
          "namespace", "", "must name the namespace of the inventory", "write -n default");
    }
    try {
      return new ApplySet(source, namespace);
    } catch (IllegalArgumentException e) {
      throw new InvalidInputException(
          "source",
          source,
          "must be 1 to 52 lower case letters, digits or dashes",
          "choose another");
    }
  }
}
