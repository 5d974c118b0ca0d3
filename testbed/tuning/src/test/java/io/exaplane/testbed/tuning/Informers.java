// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.testbed.machine.Kubernetes;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A process with many of client-go's reflectors: testbed/kube/informers. Any thread. */
final class Informers implements AutoCloseable {
  static final List<String> KINDS = List.of("pods", "nodes", "services");
  private static final JsonMapper JSON = new JsonMapper();
  private final Process process;
  private volatile JsonNode line = JSON.createObjectNode();

  private Informers(Process process) {
    this.process = process;
    Thread.ofPlatform().daemon().start(this::read);
  }

  /**
   * Starts them.
   *
   * @param listingPercent how many list, as older programs do
   */
  static Informers start(
      int count, int listingPercent, List<String> servers, List<String> tokens, Path log)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(Kubernetes.binary("informers")));
    command.add("-servers=" + String.join(",", servers));
    command.add("-tokens=" + String.join(",", tokens));
    command.add("-informers=" + count);
    command.add("-listing-percent=" + listingPercent);
    return new Informers(new ProcessBuilder(command).redirectError(log.toFile()).start());
  }

  private void read() {
    try (BufferedReader lines = process.inputReader()) {
      for (String text = lines.readLine(); text != null; text = lines.readLine()) {
        line = JSON.readTree(text);
      }
    } catch (IOException e) {
      // It was ended in the middle of a line.
    }
  }

  /** How far they are, as the program prints it. */
  JsonNode line() {
    if (!process.isAlive()) {
      throw new AssertionError("the informers ended; last: " + line);
    }
    return line;
  }

  /** Whether all informers of a Kind are at a revision at least. */
  boolean reached(String kind, long revision) {
    return line().path("kinds").path(kind).path("revision").asLong() >= revision;
  }

  int requests(String what) {
    return line().path("requests").path(what).asInt();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
