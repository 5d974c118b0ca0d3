// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.apply.engine.Summary;
import io.exaplane.apply.entry.Outcome;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One line on a terminal that says how far an apply is. The line is written again in its place, and
 * erased at the end, so that what follows stands alone. Closed by the thread that made it.
 */
final class ApplyProgress implements AutoCloseable {
  private static final long EACH_MS = 500;
  private static final int WIDTH = 30;

  /** To the begin of the line, and erases to its end. */
  private static final String ERASE = "\r\u001b[K";

  private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

  private final CountDownLatch ends = new CountDownLatch(1);
  private final PrintWriter err;
  private final Optional<Thread> thread;

  /** How a source stands. */
  interface Look {
    /**
     * Looks.
     *
     * @throws IllegalStateException when nobody can tell any more
     */
    Summary summary() throws InterruptedException;
  }

  /**
   * Begins.
   *
   * @param isTerminal whether somebody sees the line; otherwise nothing is written
   */
  ApplyProgress(boolean isTerminal, PrintWriter err, Look look) {
    this.err = err;
    thread =
        isTerminal
            ? Optional.of(Thread.ofVirtual().name("apply-progress").start(() -> run(look)))
            : Optional.empty();
  }

  /** Whether the standard error is a terminal, as far as this system tells. */
  static boolean isTerminal() {
    Console console = System.console();
    if (console == null || !console.isTerminal()) {
      return false;
    }
    try {
      // The console is that of the standard input and output.
      String target = Files.readSymbolicLink(STANDARD_ERROR).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException e) {
      // Not Linux.
      return true;
    }
  }

  private void run(Look look) {
    try {
      while (!ends.await(EACH_MS, TimeUnit.MILLISECONDS)) {
        err.print(ERASE + line(look.summary()));
        err.flush();
      }
    } catch (InterruptedException | IllegalStateException e) {
      // The engine ended: whoever waits for it has the words.
      return;
    }
  }

  /** What the line says, as {@code [######------] 210 of 500 objects, 3 failed}. */
  static String line(Summary summary) {
    int all = summary.items().size();
    if (all == 0) {
      return "reading the server's objects";
    }
    int failed =
        summary.count(Outcome.FAILED)
            + summary.count(Outcome.YIELDED)
            + summary.count(Outcome.TAKEN);
    int done = summary.count(Outcome.APPLIED) + summary.count(Outcome.UNCHANGED) + failed;
    int marks = (int) ((long) WIDTH * done / all);
    return "[%s%s] %d of %d objects%s"
        .formatted(
            "#".repeat(marks),
            "-".repeat(WIDTH - marks),
            done,
            all,
            failed == 0 ? "" : ", %d failed".formatted(failed));
  }

  /** Ends, and erases the line. */
  @Override
  public void close() {
    if (thread.isEmpty()) {
      return;
    }
    ends.countDown();
    boolean interrupted = false;
    while (thread.get().isAlive()) {
      try {
        thread.get().join();
      } catch (InterruptedException e) {
        interrupted = true;
        thread.get().interrupt();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    err.print(ERASE);
    err.flush();
  }
}
