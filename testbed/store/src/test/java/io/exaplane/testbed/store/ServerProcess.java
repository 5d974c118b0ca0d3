// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.Spent;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A server of etcd's protocol, ours or etcd itself, as a process that a test may end as it likes.
 */
final class ServerProcess implements AutoCloseable {
  private static final Duration START = Duration.ofMinutes(5);
  private static final Duration STOP = Duration.ofMinutes(2);

  /** Java's second compiler would cost a store of seconds more than it wins. */
  private static final String BRIEF = "-XX:TieredStopAtLevel=1";

  private static ServerProcess shared;

  private final List<String> command;
  private final int port;
  private final Path log;
  private Process process;
  private ManagedChannel channel;

  private ServerProcess(List<String> command, int port, Path log) {
    this.command = command;
    this.port = port;
    this.log = log;
  }

  /**
   * The store of all tests that say nothing about flags, starts and ends; each has keys of its own.
   * It ends with the tests.
   */
  static synchronized ServerProcess shared() throws Exception {
    if (shared == null) {
      Path folder = Files.createTempDirectory("shared");
      shared = store(folder.resolve("store"));
      Runtime.getRuntime().addShutdownHook(new Thread(() -> endShared(folder)));
    }
    return shared;
  }

  private static void endShared(Path folder) {
    shared.close();
    try (Stream<Path> files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Our store, with the command that the launcher names; it serves when this returns. */
  static ServerProcess store(Path dataDir, String... flags) throws Exception {
    return storeWith(BRIEF, dataDir, flags);
  }

  /** Our store as users start it, for tests of what it can do under load. */
  static ServerProcess storeForLoad(Path dataDir, String... flags) throws Exception {
    return store(wholeCommand(), dataDir, flags);
  }

  /** The command as users have it: the launcher spares short processes the second compiler. */
  private static List<String> wholeCommand() {
    List<String> command = Machine.storeCommand();
    command.remove(BRIEF);
    return command;
  }

  /** Our store as users start it, but for another flag of its Java. */
  static ServerProcess storeWith(String javaFlag, Path dataDir, String... flags) throws Exception {
    List<String> command = new ArrayList<>();
    for (String word : wholeCommand()) {
      if (word.startsWith("@")) { // a file of words: of two flags that differ Java takes the last
        Files.readAllLines(Path.of(word.substring(1)))
            .forEach(line -> command.add(line.replace("\"", "")));
      } else {
        command.add(word);
      }
    }
    command.add(command.indexOf("-cp"), javaFlag);
    return store(command, dataDir, flags);
  }

  /** Our store, which may have only so many files open. */
  static ServerProcess storeWithFiles(int most, Path dataDir, String... flags) throws Exception {
    List<String> command =
        new ArrayList<>(List.of("sh", "-c", "ulimit -n %d; exec \"$@\"".formatted(most), "sh"));
    command.addAll(Machine.storeCommand());
    return store(command, dataDir, flags);
  }

  /** Our store with TLS on another port; its own has the pages in the clear. */
  static ServerProcess storeWithTls(Path dataDir, int tlsPort, String... flags) throws Exception {
    String urls = "--listen-client-urls=https://127.0.0.1:%d --listen-metrics-urls=";
    return store(Machine.storeCommand(), urls.formatted(tlsPort), dataDir, flags);
  }

  private static ServerProcess store(List<String> command, Path dataDir, String... flags)
      throws Exception {
    return store(command, "--listen-client-urls=", dataDir, flags);
  }

  /**
   * @param urls flags, the last of which gets the URL in the clear
   */
  private static ServerProcess store(
      List<String> command, String urls, Path dataDir, String... flags) throws Exception {
    int port = Machine.freePort();
    command.add("--data-dir=" + dataDir);
    command.addAll(List.of((urls + "http://127.0.0.1:" + port).split(" ")));
    command.addAll(List.of(flags));
    ServerProcess server = new ServerProcess(command, port, dataDir.resolveSibling("store.log"));
    server.start();
    return server;
  }

  /** etcd, from the launcher's cache; it serves when this returns. */
  static ServerProcess etcd(Path dataDir, String... flags) throws Exception {
    return etcd(Etcd.usual(), dataDir, flags);
  }

  /** An etcd of some version; it serves when this returns. */
  static ServerProcess etcd(Etcd etcd, Path dataDir, String... flags) throws Exception {
    int port = Machine.freePort();
    String url = "http://127.0.0.1:" + port;
    List<String> command = new ArrayList<>();
    command.add(etcd.program("etcd"));
    command.add("--data-dir=" + dataDir);
    command.add("--listen-client-urls=" + url);
    command.add("--advertise-client-urls=" + url);
    command.add("--listen-peer-urls=http://127.0.0.1:" + Machine.freePort());
    command.add("--log-level=error");
    command.add("--unsafe-no-fsync");
    command.addAll(List.of(flags));
    ServerProcess server = new ServerProcess(command, port, dataDir.resolveSibling("etcd.log"));
    server.start();
    return server;
  }

  /** etcd with TLS on another port, and pages for probes on a third. */
  static ServerProcess etcdWithTls(Path dataDir, int tlsPort, int pagesPort, String... flags)
      throws Exception {
    int port = Machine.freePort();
    String url = "http://127.0.0.1:" + port;
    List<String> command = new ArrayList<>();
    command.add(Machine.environment("EXA_ETCD") + "/etcd");
    command.add("--data-dir=" + dataDir);
    command.add("--listen-client-urls=%s,https://127.0.0.1:%d".formatted(url, tlsPort));
    command.add("--advertise-client-urls=" + url);
    command.add("--listen-metrics-urls=http://127.0.0.1:" + pagesPort);
    command.add("--listen-peer-urls=http://127.0.0.1:" + Machine.freePort());
    command.add("--log-level=error");
    command.add("--unsafe-no-fsync");
    command.addAll(List.of(flags));
    ServerProcess server = new ServerProcess(command, port, dataDir.resolveSibling("etcd.log"));
    server.start();
    return server;
  }

  /** Runs a tool of etcd, as {@code etcdctl}, to its end and returns what it printed. */
  static String run(String tool, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Machine.environment("EXA_ETCD") + "/" + tool);
    if (tool.equals("etcdctl")) {
      // By itself, it gives up after seconds, which a busy machine takes.
      command.addAll(List.of("--dial-timeout=120s", "--command-timeout=120s"));
    }
    command.addAll(List.of(arguments));
    return run(command);
  }

  /** Runs a command to its end and returns what it printed. */
  static String run(List<String> command) throws Exception {
    Process tool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(tool.getInputStream().readAllBytes());
    if (tool.waitFor() != 0) {
      throw new IOException("%s ended with %d: %s".formatted(command, tool.exitValue(), output));
    }
    return output;
  }

  /** Starts it again, on the same port and folder, and waits until it serves. */
  void start() throws Exception {
    try (Spent.Going _ = Spent.on(Spent.Cause.STARTS)) {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
      awaitReady();
    }
    if (channel != null) {
      // A connection of before is gone, whether or not the channel knows that already.
      channel.enterIdle();
    }
  }

  private void awaitReady() throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://%s/readyz".formatted(target())))
            .timeout(Duration.ofSeconds(30))
            .build();
    long deadline = System.nanoTime() + START.toNanos();
    try (HttpClient client = HttpClient.newHttpClient()) {
      while (true) {
        try {
          if (client.send(request, BodyHandlers.discarding()).statusCode() == 200) {
            return;
          }
        } catch (IOException e) {
          if (!process.isAlive()) {
            throw new IllegalStateException("it ended: " + Files.readString(log), e);
          }
        }
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException(
              "not ready after %s: %s".formatted(START, Files.readString(log)));
        }
        Thread.sleep(20);
      }
    }
  }

  /** What it has said so far. */
  String log() throws IOException {
    return Files.readString(log);
  }

  /** The memory that it has, in bytes. */
  long residentBytes() {
    try (Stream<String> status = Files.lines(Path.of("/proc/%d/status".formatted(pid())))) {
      return status
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  int port() {
    return port;
  }

  /** Host and port. */
  String target() {
    return "127.0.0.1:" + port;
  }

  /** A connection of the test's own, closed with the server. */
  ManagedChannel channel() {
    if (channel == null) {
      channel = newChannel();
    }
    return channel;
  }

  ManagedChannel newChannel() {
    return NettyChannelBuilder.forAddress("127.0.0.1", port)
        .usePlaintext()
        .maxInboundMessageSize(Integer.MAX_VALUE)
        .build();
  }

  /** Ends it as a loss of power would, but for the system's caches. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Ends it in good order. */
  void stop() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(STOP.toSeconds(), TimeUnit.SECONDS)) {
      kill();
      throw new IllegalStateException("it did not end within " + STOP);
    }
  }

  @Override
  public void close() {
    if (channel != null) {
      channel.shutdownNow();
    }
    kill();
  }
}
