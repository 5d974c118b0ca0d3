// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.InvalidInputException;
import io.exaplane.tuning.model.Shape;
import io.exaplane.tuning.version.VersionMatrix;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The options that describe a cluster: one for each input of the model, and a file of them. */
final class ShapeOptions {
  private static final String FILE = "--file";

  private ShapeOptions() {}

  static void addTo(CommandSpec command) {
    command.addOption(
        OptionSpec.builder("-f", FILE)
            .paramLabel("FILE")
            .type(Path.class)
            .description(
                "YAML or JSON with these inputs by name, for example 'nodes: 5000'; plain or gzip. - is the "
                    + "standard input. Options override the file.")
            .build());
    for (Input input : Input.values()) {
      command.addOption(
          OptionSpec.builder("--" + input.key())
              .paramLabel(input.type().name())
              .type(String.class)
              .description(sentence(input.meaning()) + " (default: " + input.defaultText() + ").")
              .build());
    }
  }

  /**
   * The shape that the options describe.
   *
   * @throws InvalidInputException if there is none
   */
  static Shape shape(ParseResult options, VersionMatrix matrix) {
    return shape(options, matrix, Map.of());
  }

  /** The same, with inputs from elsewhere that the options override. */
  static Shape shape(ParseResult options, VersionMatrix matrix, Map<Input, String> found) {
    Map<Input, String> inputs = new EnumMap<>(Input.class);
    inputs.putAll(found);
    if (options.hasMatchedOption(FILE)) {
      inputs.putAll(read(options.matchedOptionValue(FILE, (Path) null)));
    }
    for (Input input : Input.values()) {
      if (options.hasMatchedOption("--" + input.key())) {
        inputs.put(input, options.matchedOptionValue("--" + input.key(), ""));
      }
    }
    return Shape.of(inputs, matrix);
  }

  private static Map<Input, String> read(Path file) {
    Map<Input, String> inputs = new EnumMap<>(Input.class);
    InputFile.read(file).forEach((key, value) -> inputs.put(input(key), InputFile.text(value)));
    return inputs;
  }

  private static Input input(String key) {
    return Input.byKey(key).orElseThrow(() -> InputFile.unknown(key));
  }

  static String sentence(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }
}
