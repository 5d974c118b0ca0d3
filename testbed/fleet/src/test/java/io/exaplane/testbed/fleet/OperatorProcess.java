// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.fleet;

import io.exaplane.testbed.machine.Http;
import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.MemoryLimit;
import io.exaplane.testbed.machine.Server;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The operator as its image starts it, within the memory that its manifests give it. Used by one
 * thread.
 */
final class OperatorProcess implements AutoCloseable {
  private static final Pattern LOOKS =
      Pattern.compile(
          "(?m)^operator_sdk_controllers_execution_reconcile_success_total\\{[^}]*controller=\"controlplane\"[^}]*} ([0-9.E]+)");

  /** What its readiness says of the Lease. */
  private static final Pattern ROLE = Pattern.compile("\"role\": *\"(\\w+)\"");

  /** How an operator ends that was kept from the API for longer than a Lease lasts. */
  private static final String LOST_LEASE = "lost the Lease";

  private final MemoryLimit limit;
  private final long limitBytes;
  private final List<String> command;
  private final Map<String, String> environment;
  private final Path log;
  private final URI page;
  private Server process;
  private int restarts;

  private OperatorProcess(
      String words, MemoryLimit limit, long limitBytes, Map<String, String> environment, Path log)
      throws Exception {
    int port = Machine.freePort();
    this.limit = limit;
    this.limitBytes = limitBytes;
    this.environment = environment;
    this.log = log;
    this.page = URI.create("http://127.0.0.1:" + port + "/q/health/live");
    List<String> all = new ArrayList<>(List.of(words.trim().split(" +")));
    all.add(1, "-Dquarkus.http.port=" + port);
    this.command = limit.inside(all);
    this.process = Server.start(command, environment, page, log);
  }

  /**
   * What it takes.
   *
   * @param heapMib of Java's heap after a collection, MiB
   * @param residentMib memory, MiB
   * @param descriptors open files and connections
   */
  record Use(int threads, int descriptors, double heapMib, long residentMib) {
    @Override
    public String toString() {
      return "%d threads, %d descriptors, %.1f MiB of heap, %d MiB resident"
          .formatted(threads, descriptors, heapMib, residentMib);
    }
  }

  /**
   * Starts it; it lives when this returns.
   *
   * @param name of its pod, which the Lease has when it leads
   * @param interval after which each object is looked at again, whether something changed or not
   */
  static OperatorProcess start(
      String name, Path folder, Path kubeconfig, long limitBytes, Duration interval)
      throws Exception {
    return start(
        Machine.environment("EXA_OPERATOR"), name, folder, kubeconfig, limitBytes, interval);
  }

  /**
   * Starts one of another version.
   *
   * @param words its command
   */
  static OperatorProcess start(
      String words, String name, Path folder, Path kubeconfig, long limitBytes, Duration interval)
      throws Exception {
    return start(words, Map.of(), name, folder, kubeconfig, limitBytes, interval);
  }

  /**
   * Starts one with settings of its own.
   *
   * @param settings variables of its environment beside those that each one has
   */
  static OperatorProcess start(
      String words,
      Map<String, String> settings,
      String name,
      Path folder,
      Path kubeconfig,
      long limitBytes,
      Duration interval)
      throws Exception {
    MemoryLimit limit = MemoryLimit.of(name, limitBytes);
    try {
      Map<String, String> environment = new HashMap<>(settings);
      environment.put("HOSTNAME", name);
      environment.put("KUBECONFIG", kubeconfig.toString());
      environment.put("QUARKUS_HTTP_HOST", "127.0.0.1");
      environment.put("MALLOC_ARENA_MAX", "2");
      environment.put("EXAPLANE_RECONCILIATION_INTERVAL", interval.toSeconds() + "s");
      return new OperatorProcess(
          words, limit, limitBytes, Map.copyOf(environment), folder.resolve(name + ".log"));
    } catch (Exception e) {
      limit.close();
      throw e;
    }
  }

  /**
   * Whether it lives. One that lost its Lease, since the machine kept it from the API, is started
   * again as a kubelet would; one that was killed or ran out of memory is not.
   */
  boolean lives() {
    if (ProcessHandle.of(process.pid()).map(ProcessHandle::isAlive).orElse(false)) {
      return true;
    }
    if (!lastWords().contains(LOST_LEASE)) {
      return false;
    }
    restarts++;
    try {
      process = Server.start(command, environment, page, log);
      return true;
    } catch (Exception e) {
      throw new AssertionError("it does not start again", e);
    }
  }

  /** How often it was started again after its Lease was lost. */
  int restarts() {
    return restarts;
  }

  /** Whether its log has some words. */
  boolean says(String words) {
    try {
      return Files.readString(log).contains(words);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String lastWords() {
    try {
      return process.lastWords();
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** What it takes now, after a collection of its heap. */
  Use use() throws IOException, InterruptedException {
    double heapMib = Jcmd.heapMib(process.pid());
    Path proc = Path.of("/proc", Long.toString(process.pid()));
    try (Stream<Path> descriptors = Files.list(proc.resolve("fd"))) {
      return new Use(
          (int) status(proc, "Threads"),
          (int) descriptors.count(),
          heapMib,
          status(proc, "VmRSS") / 1024);
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

  /** How often it looked at a control plane and got through, since it began. */
  long looks() {
    try {
      Matcher looks = LOOKS.matcher(Http.get(page.resolve("/q/metrics")).body());
      return looks.find() ? (long) Double.parseDouble(looks.group(1)) : 0;
    } catch (IOException e) {
      // It may be busy for a moment.
      return 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }

  /** Its threads; as many as there can be while it does not tell. */
  boolean usesAtMost(int threads, int descriptors) {
    Path proc = Path.of("/proc", Long.toString(process.pid()));
    try (Stream<Path> open = Files.list(proc.resolve("fd"))) {
      return status(proc, "Threads") <= threads && open.count() <= descriptors;
    } catch (IOException | UncheckedIOException e) {
      // A descriptor was closed while they were counted.
      return false;
    }
  }

  /** Its role when it is ready; "" when it is not. */
  String readyAs() {
    try {
      HttpResponse<String> ready = Http.get(page.resolve("/q/health/ready"));
      Matcher role = ROLE.matcher(ready.body());
      return ready.statusCode() == HttpURLConnection.HTTP_OK && role.find() ? role.group(1) : "";
    } catch (IOException e) {
      // It may be busy for a moment.
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  /** Ends it as a kubelet does when its pod is deleted, and waits. */
  void stop() throws IOException, InterruptedException {
    ProcessHandle.of(process.pid()).ifPresent(ProcessHandle::destroy);
    process.awaitEnd();
  }

  long limitMib() {
    return limitBytes >> 20;
  }

  /** The largest heap that it may have, MiB. */
  long mostHeapMib() throws IOException, InterruptedException {
    return Jcmd.mostHeapMib(process.pid());
  }

  long peakMib() throws IOException {
    return limit.peakBytes() >> 20;
  }

  /** Kills it. */
  @Override
  public void close() throws IOException {
    process.close();
    limit.close();
  }
}
