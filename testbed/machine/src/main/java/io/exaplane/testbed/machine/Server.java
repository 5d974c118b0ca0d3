// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.machine;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A process that serves HTTP, from its start to its end. */
public final class Server implements AutoCloseable {
  private static final Duration START = Duration.ofMinutes(5);
  private static final int LOG_LINES = 15;
  private static final int LINES_OF_WORD = 60;
  private final Process process;
  private final URI page;
  private final Path log;

  private Server(Process process, URI page, Path log) {
    this.process = process;
    this.page = page;
    this.log = log;
  }

  /**
   * Starts it and waits until its page answers with 200.
   *
   * @throws StartFailure if it ends before, or takes five minutes
   */
  public static Server start(
      List<String> command, Map<String, String> environment, URI page, Path log) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().putAll(environment);
    try (Spent.Going _ = Spent.on(Spent.Cause.STARTS)) {
      Server server = new Server(builder.start(), page, log);
      try {
        server.await(page);
      } catch (StartFailure e) {
        server.close();
        throw e;
      }
      return server;
    }
  }

  private void await(URI page) throws Exception {
    long deadline = System.nanoTime() + START.toNanos();
    while (!answers(page)) {
      if (!process.isAlive()) {
        throw new StartFailure("ended with %d: %s".formatted(process.exitValue(), lastWords()));
      }
      if (System.nanoTime() > deadline) {
        throw new StartFailure("%s not 200 after %s: %s".formatted(page, START, lastWords()));
      }
      Thread.sleep(50);
    }
  }

  private static boolean answers(URI page) throws InterruptedException {
    try {
      HttpResponse<String> response = Http.get(page);
      return response.statusCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  /** The page that it was asked for until it answered. */
  public URI page() {
    return page;
  }

  public String lastWords() throws IOException {
    try (Stream<String> lines = Files.lines(log)) {
      List<String> all = lines.toList();
      return String.join("\n", all.subList(Math.max(0, all.size() - LOG_LINES), all.size()));
    }
  }

  /** The last lines of its log that have a word. */
  public String lastWordsOf(String word) throws IOException {
    try (Stream<String> lines = Files.lines(log)) {
      List<String> all = lines.filter(line -> line.contains(word)).toList();
      return String.join("\n", all.subList(Math.max(0, all.size() - LINES_OF_WORD), all.size()));
    }
  }

  /** Its number among processes. */
  public long pid() {
    return process.pid();
  }

  /** Waits until it ends by itself, and returns its last words. */
  public String awaitEnd() throws IOException, InterruptedException {
    if (!process.waitFor(START.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("still there after " + START + ": " + lastWords());
    }
    return lastWords();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
