// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Repeats a command of kubectl that failed for a reason that passes: an API that starts, ends or
 * has too much to do. Its own client library repeats such requests, and kubectl does not.
 */
final class Retries {
  private static final int MOST = 20;
  private static final long PAUSE_MS = 1000;

  /** The request was not carried out. */
  private static final List<String> NOT_DONE =
      List.of(
          "connection refused",
          "TLS handshake timeout",
          "no route to host",
          "too many requests",
          "unable to handle the request");

  /** It may have been. */
  private static final List<String> UNKNOWN =
      List.of(
          "connection reset",
          "client connection lost",
          "unexpected EOF",
          "i/o timeout",
          "request canceled",
          "etcdserver: ",
          "object has been modified");

  /** Fail or do something else when they are carried out again. */
  private static final Set<String> ONCE = Set.of("create", "delete", "run", "exec", "expose", "cp");

  private Retries() {}

  /** Runs it until it passes, or fails for another reason, or has failed often. */
  static Bed.Run run(Supplier<Bed.Run> command, String... arguments) {
    Bed.Run run = command.get();
    for (int i = 1; i < MOST && passes(run, List.of(arguments)); i++) {
      pause();
      run = command.get();
    }
    return run;
  }

  private static boolean passes(Bed.Run run, List<String> arguments) {
    if (run.exit() == 0) {
      return false;
    }
    String said = run.output().toLowerCase(Locale.ROOT);
    return isIn(NOT_DONE, said)
        || arguments.stream().noneMatch(ONCE::contains) && isIn(UNKNOWN, said);
  }

  private static boolean isIn(List<String> words, String said) {
    return words.stream().anyMatch(each -> said.contains(each.toLowerCase(Locale.ROOT)));
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
