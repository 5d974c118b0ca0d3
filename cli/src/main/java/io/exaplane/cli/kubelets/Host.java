// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.kubelets;

import io.exaplane.cli.measure.MeasurementException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The processes of one host, in namespaces that end with its first process, which ends with this
 * one. One thread.
 */
final class Host {
  private static final long START_MS = 30_000;
  private static final long LOOK_MS = 20;
  private static final int WORDS = 400;
  private final String name;
  private final Path folder;
  private final Process outer;
  private Optional<ProcessHandle> first = Optional.empty();

  /**
   * Starts a host whose files are there.
   *
   * @param arguments of host.sh
   */
  Host(String name, Path folder, List<String> arguments) throws IOException {
    this.name = name;
    this.folder = folder;
    List<String> command =
        Stream.concat(
                Stream.of(
                    "setpriv",
                    "--pdeathsig=KILL",
                    "unshare",
                    "--net",
                    "--mount",
                    "--uts",
                    "--ipc",
                    "--pid",
                    "--fork",
                    "--kill-child",
                    "--mount-proc",
                    "sh",
                    folder.resolve("host.sh").toString()),
                arguments.stream())
            .toList();
    outer =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(Redirect.to(folder.resolve("host.log").toFile()))
            .start();
    outer.getOutputStream().close();
  }

  /**
   * Waits until the namespaces are there.
   *
   * @return a process of them
   */
  long await() throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(START_MS);
    while (!Files.exists(folder.resolve("up"))) {
      requireAlive();
      if (System.nanoTime() > end) {
        throw new MeasurementException(
            "%s has no namespaces after %d s; see %s"
                .formatted(name, START_MS / 1000, folder.resolve("host.log")));
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
    first = outer.children().findFirst();
    return first.map(ProcessHandle::pid).orElse(outer.pid());
  }

  /**
   * Fails if a program has ended.
   *
   * @throws MeasurementException with the last words of the program
   */
  void requireAlive() {
    if (!outer.isAlive()) {
      throw new MeasurementException(
          "%s ended: %s; correct that, and run the command again"
              .formatted(name, lastWords("host.log")));
    }
  }

  /** The last line of a log; empty without one. */
  String lastWords(String log) {
    try (Stream<String> lines = Files.lines(folder.resolve(log))) {
      String last = lines.reduce("", (before, line) -> line.isBlank() ? before : line.strip());
      return last.substring(0, Math.min(WORDS, last.length()));
    } catch (IOException | UncheckedIOException e) {
      return "";
    }
  }

  Stream<Long> pids() {
    return outer.descendants().map(ProcessHandle::pid);
  }

  /** Ends all processes. They are gone when this returns. */
  void end() {
    first = first.or(() -> outer.children().findFirst());
    first.ifPresent(ProcessHandle::destroyForcibly);
    outer.destroyForcibly().onExit().join();
    first.ifPresent(each -> each.onExit().join());
  }
}
