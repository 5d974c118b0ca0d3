// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.install;

import io.exaplane.testbed.machine.Kubernetes;
import io.exaplane.testbed.machine.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A tool that people install with, and what it reads of its user. */
final class Tool {
  private static final int LIMIT_SECONDS = 600;
  private final String binary;
  private final Path home;

  private Tool(String binary, Path home) {
    this.binary = binary;
    this.home = home;
  }

  /**
   * Helm, which the launcher names in EXA_HELM.
   *
   * @param home an empty folder; a file kubeconfig in it is the cluster
   */
  static Tool helm(Path home) {
    return new Tool(Machine.environment("EXA_HELM"), home);
  }

  /** The same of Helm 3, in EXA_HELM_3. */
  static Tool helm3(Path home) {
    return new Tool(Machine.environment("EXA_HELM_3"), home);
  }

  static Tool kubectl(Path home) {
    return new Tool(Kubernetes.binary("kubectl"), home);
  }

  /** What a run printed, and how it ended. */
  record Run(String command, int status, String output, String errors) {
    /** What it printed; the run must have passed. */
    String passed() {
      if (status != 0) {
        throw new AssertionError(command + " ended with " + status + ": " + errors + output);
      }
      return output;
    }

    /** What it said; the run must have failed. */
    String failed() {
      if (status == 0) {
        throw new AssertionError(command + " passed: " + output);
      }
      return errors;
    }
  }

  Run run(String... arguments) throws IOException, InterruptedException {
    return run(List.of(arguments));
  }

  Run run(List<String> arguments) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>();
    words.add(binary);
    words.addAll(arguments);
    Path output = Files.createTempFile(home, "output", ".txt");
    Path errors = Files.createTempFile(home, "errors", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(words).redirectOutput(output.toFile()).redirectError(errors.toFile());
    builder.environment().put("HOME", home.toString());
    builder.environment().put("KUBECONFIG", home.resolve("kubeconfig").toString());
    for (String kind : List.of("CACHE", "CONFIG", "DATA")) {
      builder.environment().put("HELM_" + kind + "_HOME", home.resolve(kind).toString());
    }
    Process process = builder.start();
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError(words + " still runs after " + LIMIT_SECONDS + " s");
    }
    return new Run(
        String.join(" ", words),
        process.exitValue(),
        Files.readString(output),
        Files.readString(errors));
  }
}
