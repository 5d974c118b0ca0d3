// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * An attack as a process of its own that gets only the processors' time that nobody else wants:
 * attackers are elsewhere in the world, and what they do to a client shall be by the server alone.
 */
final class AttackProcess implements AutoCloseable {
  private final Process process;

  private AttackProcess(Process process) {
    this.process = process;
  }

  static AttackProcess start(Attack attack, int port, long seed) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classes =
        AttackProcess.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    List<String> command =
        List.of(
            "chrt",
            "--idle",
            "0",
            java,
            "-Xmx128m",
            "-cp",
            classes,
            AttackProcess.class.getName(),
            attack.name(),
            Integer.toString(port),
            Long.toString(seed));
    return new AttackProcess(
        new ProcessBuilder(command).redirectErrorStream(true).inheritIO().start());
  }

  boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }

  /** Attacks until it is ended: the name of an {@link Attack}, a port, a seed. */
  public static void main(String[] arguments) {
    Attack.valueOf(arguments[0]).run(Integer.parseInt(arguments[1]), Long.parseLong(arguments[2]));
  }
}
