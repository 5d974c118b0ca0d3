// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.cli.measure.FileFailure;
import io.exaplane.tuning.lists.Unpacked;
import io.exaplane.tuning.model.InvalidInputException;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.ZipException;

/** Files that the user names; - is the standard input. */
final class TextFiles {
  private static final String STANDARD_INPUT = "-";
  private static final int MOST_BYTES = 4 << 20;

  private TextFiles() {}

  /**
   * The whole text of a file, plain or gzip; of {@code /proc}, too, whose files say that they are
   * empty.
   *
   * @throws InvalidInputException if it can't be read
   */
  static String read(Path file) {
    return read("file", file);
  }

  /** The same of a file that an option names. */
  static String read(String input, Path file) {
    try (InputStream in = Unpacked.of(open(file))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw unreadable(input, file, e);
    }
  }

  /**
   * The same of a file that a person wrote.
   *
   * @throws InvalidInputException if it is too large to be one
   */
  static String readSmall(String input, Path file) {
    try (InputStream in = Unpacked.of(open(file))) {
      byte[] content = in.readNBytes(MOST_BYTES + 1);
      if (content.length > MOST_BYTES) {
        throw new InvalidInputException(
            input, file.toString(), "is larger than 4 MiB", "name a file that lists inputs");
      }
      return new String(content, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw unreadable(input, file, e);
    }
  }

  /** The bytes of a file as they are; closing leaves the standard input open. */
  static InputStream open(Path file) throws IOException {
    if (!isStandardInput(file)) {
      return Files.newInputStream(file);
    }
    return new FilterInputStream(System.in) {
      @Override
      public void close() {}
    };
  }

  static boolean isStandardInput(Path file) {
    return file.toString().equals(STANDARD_INPUT);
  }

  /** What to say of a file that can't be read. */
  static InvalidInputException unreadable(String input, Path file, IOException e) {
    String name = file.toString();
    if (e instanceof NoSuchFileException) {
      return new InvalidInputException(input, name, "does not exist", "name another");
    }
    if (e instanceof AccessDeniedException) {
      return new InvalidInputException(
          input, name, "cannot be read: access is denied", "read the file as its owner");
    }
    if (Files.isDirectory(file)) {
      return new InvalidInputException(input, name, "is a folder", "name the files in the folder");
    }
    if (e instanceof Unpacked.PackedException packed) {
      return new InvalidInputException(
          input, name, packed.getMessage(), "run '%s %s'".formatted(packed.command(), name));
    }
    if (e instanceof EOFException) {
      return new InvalidInputException(
          input, name, "is compressed and breaks off before its end", "copy the whole file again");
    }
    if (e instanceof ZipException) {
      return new InvalidInputException(
          input,
          name,
          "is compressed and damaged: " + e.getMessage(),
          "copy the file again, and check the copy with 'gzip -t' or 'unzip -t'");
    }
    return new InvalidInputException(
        input, name, "cannot be read: " + FileFailure.reason(e), "name another");
  }
}
