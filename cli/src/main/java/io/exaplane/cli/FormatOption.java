// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import picocli.CommandLine.Option;

/** How an answer is printed. */
final class FormatOption {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "table|json|yaml",
      defaultValue = "table",
      description = "Table for people, JSON or YAML for machines (default: ${DEFAULT-VALUE}).")
  TuneCommand.Format format;
}
