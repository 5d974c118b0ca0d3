// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.tuning.model.InvalidInputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Files that the user names. */
final class TextFiles {
  private TextFiles() {}

  /**
   * The whole text of a file; of {@code /proc}, too, whose files say that they are empty.
   *
   * @throws InvalidInputException if it can't be read
   */
  static String read(Path file) {
    try (var in = Files.newInputStream(file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      throw new InvalidInputException("file", file.toString(), "is not there", "name another");
    } catch (IOException e) {
      throw new InvalidInputException(
          "file", file.toString(), "can't be read: " + e.getMessage(), "name another");
    }
  }
}
