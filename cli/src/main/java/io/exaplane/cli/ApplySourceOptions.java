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
      defaultValue = "exactl",
      description =
          "Name of the source: of its inventory, a ConfigMap in the namespace (default:"
              + " ${DEFAULT-VALUE}).")
  private String source;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      defaultValue = "default",
      description =
          "Namespace of the inventory, and of objects that name none (default: ${DEFAULT-VALUE}).")
  String namespace;

  ApplySet set() {
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
