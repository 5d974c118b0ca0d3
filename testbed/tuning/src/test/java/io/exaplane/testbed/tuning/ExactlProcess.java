// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A command of exactl as a process of its own, with the administrator's kubeconfig. One thread. */
final class ExactlProcess implements AutoCloseable {
  private static final long PATIENCE_MINUTES = 15;
  private static final JsonMapper JSON = new JsonMapper();

  private final Process process;
  private final Path out;
  private final Path err;

  /**
   * Starts it.
   *
   * @param folder takes its outputs
   * @param words behind 'exactl bench'
   */
  ExactlProcess(ControlPlane controlPlane, Path folder, List<String> words) throws Exception {
    out = Files.createTempFile(folder, "exactl", ".out");
    err = Files.createTempFile(folder, "exactl", ".err");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                "io.exaplane.cli.Exactl",
                "bench"));
    command.addAll(words);
    command.addAll(
        List.of("--context=c", "--output=json", "--kubeconfig=" + controlPlane.kubeconfig()));
    process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(Redirect.to(err.toFile()))
            .start();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** What it told people until now. */
  String words() throws IOException {
    return Files.readString(err);
  }

  /** Waits for its end, which must be a good one, and gives its report. */
  JsonNode report() throws Exception {
    ends();
    return JSON.readTree(Files.readString(out));
  }

  /** Waits for its end, which must be a good one. */
  void ends() throws Exception {
    if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
      throw new AssertionError("does not end: " + words());
    }
    if (process.exitValue() != 0) {
      throw new AssertionError("ended with %d: %s".formatted(process.exitValue(), words()));
    }
  }

  /** Asks it to end, as Ctrl-C does, and waits. */
  void interrupt() throws Exception {
    process.destroy();
    if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
      throw new AssertionError("does not end: " + words());
    }
  }

  /** As a loss of power ends it. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    kill();
  }
}
