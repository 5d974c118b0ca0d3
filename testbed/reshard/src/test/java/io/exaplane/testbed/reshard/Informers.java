// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.reshard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.testbed.machine.Http;
import io.exaplane.testbed.machine.Kubernetes;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A process with client-go's reflectors of one Kind, at several kube-apiservers:
 * testbed/kube/informers. Any thread.
 */
final class Informers implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final long POLL_MS = 100;
  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;
  private static final int BYTE = 0xff;

  private final Process process;
  private final Kind kind;
  private volatile JsonNode line = JSON.createObjectNode();

  private Informers(Process process, Kind kind) {
    this.process = process;
    this.kind = kind;
    Thread.ofVirtual().start(this::read);
  }

  /** Starts so many, and waits until each has all objects. */
  static Informers start(int count, Kind kind, List<ApiServer> servers, Path log) throws Exception {
    List<String> command = new ArrayList<>(List.of(Kubernetes.binary("informers")));
    command.add("-servers=" + String.join(",", servers.stream().map(ApiServer::address).toList()));
    command.add("-tokens=" + Http.TOKEN);
    command.add("-informers=" + count);
    command.add("-spread=1s");
    command.add("-kinds=" + kind.plural);
    command.add("-group=" + kind.group());
    command.add("-states");
    Informers informers =
        new Informers(new ProcessBuilder(command).redirectError(log.toFile()).start(), kind);
    informers.until("all are filled", () -> informers.line().path("filled").asInt() == count);
    return informers;
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

  private JsonNode line() {
    if (!process.isAlive()) {
      throw new AssertionError("the informers ended; last: " + line);
    }
    return line;
  }

  /** How often one saw a resourceVersion that is not above the one before. */
  int backwards() {
    return line().path("backwards").asInt();
  }

  /** Waits until all have exactly what a server lists, which nobody changes meanwhile. */
  void awaitStateOf(ApiServer server) throws Exception {
    until("the informers have the server's state", () -> state().equals(listed(server)));
  }

  /** Number of objects, and a sum over their names and revisions; empty while they differ. */
  private String state() {
    JsonNode all = line().path("kinds").path(kind.plural);
    return all.path("most").asInt() + " " + all.path("state").asText();
  }

  private String listed(ApiServer server) throws Exception {
    HttpResponse<String> answer = server.list(kind.everywhere());
    if (answer.statusCode() != 200) {
      throw new AssertionError(answer.statusCode() + " " + answer.body());
    }
    long sum = 0;
    int count = 0;
    for (JsonNode item : JSON.readTree(answer.body()).path("items")) {
      JsonNode metadata = item.path("metadata");
      sum +=
          hash(
              "%s/%s@%s"
                  .formatted(
                      metadata.path("namespace").asText(),
                      metadata.path("name").asText(),
                      metadata.path("resourceVersion").asText()));
      count++;
    }
    return count + " " + Long.toHexString(sum);
  }

  /** FNV-1a, as the program has it. */
  private static long hash(String text) {
    long hash = FNV_OFFSET;
    for (byte one : text.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (one & BYTE)) * FNV_PRIME;
    }
    return hash;
  }

  private void until(String what, Condition holds) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!holds.holds()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not within %s: %s; %s".formatted(PATIENCE, what, line()));
      }
      Thread.sleep(POLL_MS);
    }
  }

  /** What is waited for. */
  private interface Condition {
    boolean holds() throws Exception;
  }

  @Override
  public String toString() {
    return line().toString();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
