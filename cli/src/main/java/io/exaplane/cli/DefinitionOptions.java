// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.tuning.model.InvalidInputException;
import picocli.CommandLine.Option;

/** What CustomResourceDefinitions are made up. */
final class DefinitionOptions {
  static final int MOST = 20_000;
  private static final int MOST_PROPERTIES = 10_000;

  @Option(
      names = "--groups",
      paramLabel = "COUNT",
      description = "API groups for the definitions (default: one for each definition).")
  private Integer groups;

  @Option(
      names = "--properties",
      paramLabel = "COUNT",
      defaultValue = "100",
      description = "Fields of each schema; 100 are 12 KiB of schema (default: ${DEFAULT-VALUE}).")
  private int properties;

  int properties() {
    inRange("properties", properties, 1, MOST_PROPERTIES);
    return properties;
  }

  /** Groups for definitions whose numbers go up to this one. */
  int groups(int most) {
    int spread = groups == null ? most : groups;
    inRange("groups", spread, 1, 2 * MOST);
    return spread;
  }

  static void inRange(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new InvalidInputException(
          option,
          Integer.toString(value),
          "must lie between " + least + " and " + most,
          "see --help");
    }
  }
}
