// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.apply.engine.Notice;
import io.exaplane.apply.engine.Options;
import io.exaplane.apply.engine.Runner;
import io.exaplane.apply.engine.Summary;
import io.exaplane.apply.entry.Outcome;
import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.manifest.Problem;
import io.exaplane.apply.manifest.Reading;
import io.exaplane.apply.port.ApiPort;
import io.exaplane.cli.Settling.Look;
import io.exaplane.tuning.model.InvalidInputException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Keeps a cluster as files say until the user ends the command. The engine corrects drift at once,
 * and the command reads the files again at intervals. The command says once what is wrong with a
 * later reading, and keeps to the reading before. Used by one thread.
 */
final class ApplyWatch {
  private static final long LOOK_MS = 500;
  private static final int MOST_NOTICES = 10_000;

  /** Between two readings of which the first was news. */
  private static final Duration SETTLE = Duration.ofSeconds(1);

  /** For what is under way at the end, and for the inventory. */
  private static final Duration LAST = Duration.ofSeconds(10);

  private final ApiPort api;
  private final ApplySet set;
  private final Options options;
  private final Duration interval;
  private final PrintWriter out;
  private final PrintWriter err;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);

  /** What the engine's thread has told: only this thread prints, and may have to wait. */
  private final Notices notices = new Notices(MOST_NOTICES);

  /** What is wanted, and why what the files hold now is not; set when the watch begins. */
  private Look taken;

  private String said = "";
  private long seen = -1;

  /** Reads the files again. */
  interface Files {
    /**
     * Reads.
     *
     * @throws InvalidInputException when what is read must not be wanted
     */
    Reading read() throws InterruptedException;

    /** Why what is new must not be wanted, by what the server has room for; empty if it may be. */
    String unfit(Reading reading) throws InterruptedException;
  }

  /**
   * Of a source.
   *
   * @param api the server; the caller closes it
   * @param options without following, which is set here
   * @param interval between two readings of the files
   * @param out told what happens
   * @param err told what is wrong
   */
  ApplyWatch(
      ApiPort api,
      ApplySet set,
      Options options,
      Duration interval,
      PrintWriter out,
      PrintWriter err) {
    this.api = api;
    this.set = set;
    this.options = options.following(true);
    this.interval = interval;
    this.out = out;
    this.err = err;
  }

  /**
   * Works until the process is told to end, the thread is interrupted, or nobody reads the output.
   *
   * @param first what the files hold; its problems were told
   * @param files reads them again
   * @return whether everything was as the files say at the end
   */
  boolean run(Reading first, Files files) {
    Thread hook = new Thread(this::endOfProcess, "apply-watch-end");
    Runtime.getRuntime().addShutdownHook(hook);
    try (Runner runner = new Runner(api, options, notices::add)) {
      taken = new Look(first, "");
      try {
        runner.want(set, first.manifests(), first.isWhole());
        follow(runner, files);
      } catch (InterruptedException e) {
        // The way to end a watch inside of another program.
      }
      return last(runner) && taken.reading().isWhole() && taken.refusal().isEmpty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      ended.countDown();
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // It runs already.
      }
    }
  }

  private void endOfProcess() {
    stop.countDown();
    try {
      ended.await(LAST.toSeconds() + 1, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What is under way is done, and what was applied is noted: so the next process knows it. */
  private boolean last(Runner runner) throws InterruptedException {
    try {
      return runner.awaitIdle(set, LAST).good();
    } catch (TimeoutException e) {
      return false;
    } finally {
      tell();
    }
  }

  private void follow(Runner runner, Files files) throws InterruptedException {
    Settling settling = new Settling(taken);
    long readAt = System.nanoTime() + interval.toNanos();
    do {
      report(runner);
      if (System.nanoTime() - readAt >= 0) {
        Look look = look(files);
        Settling.Worth worth = settling.of(look, taken);
        if (worth == Settling.Worth.SETTLED) {
          take(
              runner,
              look,
              look.refusal().isEmpty() ? files.unfit(look.reading()) : look.refusal());
        } else if (worth == Settling.Worth.RESTLESS) {
          say(
              err,
              "error: the files keep changing; the objects that were read before stay applied");
        }
        readAt = System.nanoTime() + (worth == Settling.Worth.MOVING ? SETTLE : interval).toNanos();
      }
    } while (!stop.await(LOOK_MS, TimeUnit.MILLISECONDS) && !out.checkError());
  }

  private static Look look(Files files) throws InterruptedException {
    try {
      return new Look(files.read(), "");
    } catch (InvalidInputException | UncheckedIOException e) {
      return new Look(null, e.getMessage());
    }
  }

  private void take(Runner runner, Look now, String refusal) throws InterruptedException {
    if (!refusal.isEmpty()) {
      if (!refusal.equals(taken.refusal())) {
        say(err, "error: " + refusal + "; what was read before stays applied");
      }
      taken = new Look(taken.reading(), refusal);
      return;
    }
    List<Problem> news = new ArrayList<>(now.reading().problems());
    news.removeAll(taken.reading().problems());
    taken = now;
    news.forEach(problem -> say(err, "error: " + problem));
    say(out, "the files changed: " + now.reading().manifests().size() + " objects");
    runner.want(set, now.reading().manifests(), now.reading().isWhole());
  }

  /** Says how all stands when nothing is left to do, if that is news. */
  private void report(Runner runner) throws InterruptedException {
    long events = runner.events();
    tell();
    if (events == seen || !runner.idle(set)) {
      return;
    }
    seen = events;
    String words = words(runner.summary(set));
    if (!words.equals(said)) {
      say(out, words);
    }
    said = words;
  }

  private static String words(Summary summary) {
    int good = summary.count(Outcome.APPLIED) + summary.count(Outcome.UNCHANGED);
    int all = summary.items().size();
    StringBuilder words = new StringBuilder();
    words.append(good).append(" of ").append(all).append(" objects are as the files say");
    for (Outcome one : Outcome.values()) {
      int count = summary.count(one);
      if (count > 0 && one != Outcome.APPLIED && one != Outcome.UNCHANGED) {
        words.append(", ").append(count).append(' ').append(one.name().toLowerCase(Locale.ROOT));
      }
    }
    summary.problems().forEach(problem -> words.append("; ").append(problem.message()));
    if (!summary.halted().isEmpty()) {
      words.append("; ").append(summary.halted());
    }
    return words.toString();
  }

  private void tell() {
    long dropped = notices.dropped();
    if (dropped > 0) {
      say(err, "error: " + dropped + " messages are left out, since the output was not read");
    }
    for (Notice one = notices.next(); one != null; one = notices.next()) {
      tell(one);
    }
  }

  private void tell(Notice notice) {
    boolean wrong =
        switch (notice.kind()) {
          case APPLIED, PRUNED, KEPT, ADOPTED -> false;
          case FAILED, CONTESTED, YIELDED, TAKEN, INVENTORY, UNREACHABLE -> true;
        };
    String object = notice.key() == null ? "" : notice.key() + ": ";
    String place = notice.place() == null ? "" : " (" + notice.place() + ")";
    say(wrong ? err : out, (wrong ? "error: " : "") + object + notice.message() + place);
  }

  private static void say(PrintWriter where, String words) {
    where.println(LocalTime.now().truncatedTo(ChronoUnit.SECONDS) + " " + words);
    where.flush();
  }
}
