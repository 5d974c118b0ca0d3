// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.kubelets;

import io.exaplane.cli.measure.MeasurementException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Commands of this machine. Any thread. */
final class Shell {
  private Shell() {}

  /**
   * What a command came to.
   *
   * @param text both of its outputs
   */
  record Result(int exit, String text) {}

  /** Runs a command to its end. */
  static Result run(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String text =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return new Result(process.waitFor(), text);
    } catch (IOException e) {
      return new Result(-1, e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /**
   * Runs a command that has to succeed.
   *
   * @throws MeasurementException with what the command says
   */
  static String must(String... command) {
    Result result = run(command);
    if (result.exit() != 0) {
      throw new MeasurementException(
          "'%s' failed: %s; put that right, and run the command again"
              .formatted(String.join(" ", List.of(command)), result.text()));
    }
    return result.text();
  }
}
