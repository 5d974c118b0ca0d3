// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.scheduler;

import io.exaplane.testbed.machine.Http;
import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.Server;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The scheduler as users start it. */
final class SchedulerProcess implements AutoCloseable {
  private final Server server;
  private final Path log;

  private SchedulerProcess(Server server, Path log) {
    this.server = server;
    this.log = log;
  }

  /** One that answers to the default scheduler's name, and waits for its turn if it has to. */
  static SchedulerProcess start(Path folder, String name, LiveApi api, String... more)
      throws Exception {
    List<String> options = new ArrayList<>(List.of(more));
    options.add("--kubeconfig=" + api.schedulerKubeconfig());
    return start(folder, name, options);
  }

  /** One with these options; it returns when the process is ready. */
  static SchedulerProcess start(Path folder, String name, List<String> options) throws Exception {
    int port = Machine.freePort();
    List<String> words =
        new ArrayList<>(List.of(Machine.environment("EXA_SCHEDULER").trim().split(" +")));
    words.addAll(options);
    URI ready = URI.create("http://127.0.0.1:" + port + "/q/health/ready");
    Path log = folder.resolve(name + ".log");
    Map<String, String> environment = Map.of("EXAPLANE_HTTP_PORT", "" + port);
    return new SchedulerProcess(Server.start(words, environment, ready, log), log);
  }

  /** What it answers on one of its pages. */
  String page(String path) throws IOException, InterruptedException {
    return Http.get(server.page().resolve(path)).body();
  }

  /** What one of its metrics says; -1 if it says nothing. */
  double metric(String name) {
    try {
      return page("/q/metrics")
          .lines()
          .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
          .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
          .sum();
    } catch (IOException e) {
      return -1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return -1;
    }
  }

  /** Ends it in the middle of what it does. */
  void kill() {
    server.close();
  }

  /** Asks it to end, and waits until it has. */
  void terminate() throws Exception {
    signal("-TERM");
    server.awaitEnd();
  }

  long pid() {
    return server.pid();
  }

  /** It stands still from now on. */
  void pause() throws IOException, InterruptedException {
    signal("-STOP");
  }

  void resume() throws IOException, InterruptedException {
    signal("-CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", name, "" + server.pid()).inheritIO().start().waitFor();
  }

  /** Its last words, once it has ended by itself. */
  String awaitEnd() throws Exception {
    return server.awaitEnd();
  }

  /** All that it said. */
  String log() throws IOException {
    return Files.readString(log);
  }

  @Override
  public void close() {
    server.close();
  }
}
