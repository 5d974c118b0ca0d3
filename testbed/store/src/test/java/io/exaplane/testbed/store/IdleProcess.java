// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Clients in a process of their own that gets the processors' time last: they are elsewhere in the
 * world, and what they do to another client shall be by the server alone. On a machine that always
 * computes, one that got only the time that nobody else wants would never begin.
 */
final class IdleProcess implements AutoCloseable {
  private final Process process;
  private final Path log;

  private IdleProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /**
   * Starts one.
   *
   * @param main a class of these tests that needs nothing but the JDK and goes on until it is ended
   */
  static IdleProcess start(Class<?> main, Object... arguments) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classes = main.getProtectionDomain().getCodeSource().getLocation().getPath();
    List<String> command =
        new ArrayList<>(
            List.of("nice", "-n", "19", java, "-Xmx128m", "-cp", classes, main.getName()));
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    Path log = Files.createTempFile(main.getSimpleName(), ".log");
    return new IdleProcess(
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start(),
        log);
  }

  /** Fails if it has ended, as it should not by itself. */
  void assertAlive() throws IOException {
    assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
  }

  /** What it has said so far. */
  List<String> lines() throws IOException {
    return Files.readAllLines(log);
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly().onExit().join();
    Files.delete(log);
  }
}
