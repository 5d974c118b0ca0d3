// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Commands on this machine. Any thread. */
final class Shell {
  private Shell() {}

  /**
   * What a command came to.
   *
   * @param text both of its outputs
   */
  record Result(int exit, String text) {}

  /** Runs a command to its end. */
  static Result run(List<String> command, Map<String, String> environment) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    String text =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    try {
      return new Result(process.waitFor(), text);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException) new InterruptedIOException().initCause(e);
    }
  }

  /** Runs a command that must succeed. */
  static String must(String... command) throws IOException {
    Result result = run(List.of(command), Map.of());
    if (result.exit() != 0) {
      throw new IllegalStateException(
          "%s ended with %d: %s"
              .formatted(String.join(" ", command), result.exit(), result.text()));
    }
    return result.text();
  }

  /** Runs a command whose failure does not matter. */
  static void may(String... command) throws IOException {
    run(List.of(command), Map.of());
  }
}
