// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.fleet;

import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.Server;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The operator as its image starts it, within the memory that its manifests give it. */
final class OperatorProcess implements AutoCloseable {
  private final MemoryLimit limit;
  private final Server process;

  private OperatorProcess(MemoryLimit limit, Server process) {
    this.limit = limit;
    this.process = process;
  }

  /**
   * What it takes.
   *
   * @param residentMib memory, MiB
   * @param descriptors open files and connections
   */
  record Use(int threads, long residentMib, int descriptors) {}

  /** Starts it; it is ready when this returns. */
  static OperatorProcess start(Path folder, Path kubeconfig, long limitBytes) throws Exception {
    MemoryLimit limit = MemoryLimit.of(limitBytes);
    try {
      int port = Machine.freePort();
      List<String> command =
          new ArrayList<>(List.of(Machine.environment("EXA_OPERATOR").trim().split(" +")));
      command.add(1, "-Dquarkus.http.port=" + port);
      Server process =
          Server.start(
              limit.inside(command),
              Map.of(
                  "KUBECONFIG",
                  kubeconfig.toString(),
                  "QUARKUS_HTTP_HOST",
                  "127.0.0.1",
                  "MALLOC_ARENA_MAX",
                  "2"),
              URI.create("http://127.0.0.1:" + port + "/q/health/live"),
              folder.resolve("operator.log"));
      return new OperatorProcess(limit, process);
    } catch (Exception e) {
      limit.close();
      throw e;
    }
  }

  boolean isAlive() {
    return ProcessHandle.of(process.pid()).map(ProcessHandle::isAlive).orElse(false);
  }

  String lastWords() {
    try {
      return process.lastWords();
    } catch (IOException e) {
      return e.toString();
    }
  }

  Use use() throws IOException {
    Path proc = Path.of("/proc", Long.toString(process.pid()));
    try (Stream<Path> descriptors = Files.list(proc.resolve("fd"))) {
      return new Use(
          (int) status(proc, "Threads"), status(proc, "VmRSS") / 1024, (int) descriptors.count());
    }
  }

  private static long status(Path proc, String name) throws IOException {
    return Files.readAllLines(proc.resolve("status")).stream()
        .filter(line -> line.startsWith(name + ":"))
        .map(line -> line.replaceAll("\\D", ""))
        .map(Long::parseLong)
        .findFirst()
        .orElseThrow();
  }

  long peakMib() throws IOException {
    return limit.peakBytes() >> 20;
  }

  @Override
  public void close() throws IOException {
    process.close();
    limit.close();
  }
}
