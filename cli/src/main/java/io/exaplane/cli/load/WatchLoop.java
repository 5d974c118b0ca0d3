// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * One watch that is kept open, with the requests and pauses of client-go's reflector: it begins
 * with all objects, as a stream or as a list, goes on at the last revision when the server ends it,
 * and begins again when that revision is compacted. Objects are not kept.
 *
 * <p>Started and stopped on the load's thread; events come on a thread of the connection.
 *
 * <p>Source, in Kubernetes 1.37: {@code client-go/tools/cache/reflector.go} (list, watchList, watch
 * and the constants of its back-off). The stream is the default of client-go since 1.35
 * (WatchListClient), the list was before.
 */
final class WatchLoop implements Api.Watcher {
  /** For those who only want the load. */
  static final Listener NOBODY = (type, object) -> {};

  private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(800).toNanos();
  private static final long LONGEST_PAUSE_NANOS = Duration.ofSeconds(30).toNanos();

  /** A connection that served so long starts the back-off from its beginning. */
  private static final long RESET_NANOS = Duration.ofMinutes(2).toNanos();

  /** A watch that ends sooner, without an event, is a failure. */
  private static final long VERY_SHORT_NANOS = Duration.ofSeconds(1).toNanos();

  private static final String INITIAL_EVENTS_END = "k8s.io/initial-events-end";
  private static final int STATUS_CODE = 6;

  private final Api api;
  private final Timer timer;
  private final Books books;
  private final RandomGenerator random;
  private final Target target;
  private final Listener listener;
  private final EventFrames frames = new EventFrames();
  private boolean streams;
  private boolean isStopped;
  private boolean isUnavailable;
  private int failures;
  private long failedNanos;
  private long openedNanos;
  private Runnable cancel = () -> {};

  /** Written by the connection's thread, read by the load's after the stream's end. */
  private volatile String version = "";

  private volatile boolean isExpired;
  private volatile boolean hasAll;
  private volatile boolean isOpen;
  private volatile boolean hadEvents;

  /**
   * What is watched.
   *
   * @param path with a question mark
   * @param node in whose name; empty for the account's own
   * @param shortest time that a watch is asked for
   */
  record Target(String resource, String path, String node, Duration shortest) {
    String with(String query) {
      return path + (path.endsWith("?") ? "" : "&") + query;
    }
  }

  /** Gets the events, on a thread of the connection. */
  interface Listener {
    void event(String type, byte[] object);
  }

  WatchLoop(
      Api api,
      Timer timer,
      Books books,
      RandomGenerator random,
      Target target,
      boolean streams,
      Listener listener) {
    this.api = api;
    this.timer = timer;
    this.books = books;
    this.random = random;
    this.target = target;
    this.streams = streams;
    this.listener = listener;
  }

  void start() {
    if (streams) {
      stream();
    } else {
      list("");
    }
  }

  void stop() {
    isStopped = true;
    cancel.run();
    closed();
  }

  /** Whether the stream is open and all objects have come. */
  boolean isOpen() {
    return isOpen && hasAll;
  }

  /** Whether it is open, or was refused at least once. */
  boolean isSettled() {
    return isOpen() || failures > 0;
  }

  private Call mine(Call call) {
    return target.node().isEmpty() ? call : call.as(target.node());
  }

  /** Where a list begins: any state, one not older than what was seen, or the newest. */
  private String from() {
    if (isUnavailable) {
      return "";
    }
    return version.isEmpty() ? "0" : version;
  }

  /** All objects and what follows, in one stream. */
  private void stream() {
    hasAll = false;
    open(
        "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion="
            + version);
  }

  private void list(String next) {
    if (isStopped) {
      return;
    }
    String start = from().isEmpty() ? "" : "&resourceVersion=" + from();
    String query = "limit=500" + (next.isEmpty() ? start : "&continue=" + next);
    api.send(
        mine(Call.list(target.resource(), target.with(query))),
        answer -> {
          if (!answer.isOk()) {
            isUnavailable = isUnavailable || answer.status() == Answer.GONE;
            pause(() -> list(""));
            return;
          }
          Kube.ListMeta meta = Kube.listMeta(Kube.unwrapped(answer.body()));
          if (meta.next().isEmpty()) {
            version = meta.version();
            isUnavailable = false;
            hasAll = true;
            follow();
          } else {
            list(meta.next());
          }
        });
  }

  private void follow() {
    open("watch=true&resourceVersion=" + version);
  }

  private void open(String query) {
    if (isStopped) {
      return;
    }
    long shortest = target.shortest().toSeconds();
    long seconds = shortest + (long) (random.nextDouble() * shortest);
    isExpired = false;
    hadEvents = false;
    openedNanos = timer.nanos();
    frames.clear();
    cancel =
        api.open(
            mine(
                Call.watch(
                    target.resource(),
                    target.with(query + "&allowWatchBookmarks=true&timeoutSeconds=" + seconds))),
            this);
  }

  @Override
  public void opened() {
    isOpen = true;
    books.watchBegan(target.resource());
  }

  @Override
  public void data(byte[] bytes) {
    frames.add(bytes, this::event);
  }

  private void event(String type, byte[] object, int bytes) {
    books.event(target.resource(), bytes);
    if (type.equals("ERROR")) {
      isExpired = Kube.number(object, STATUS_CODE) == Answer.GONE;
      return;
    }
    hadEvents = true;
    String seen = Kube.meta(object).version();
    if (type.equals("BOOKMARK")) {
      hasAll = hasAll || Kube.annotation(object, INITIAL_EVENTS_END).equals("true");
    }
    if (hasAll) {
      version = seen;
    }
    listener.event(type, object);
  }

  @Override
  public void ended(Answer answer) {
    closed();
    timer.execute(() -> goOn(answer));
  }

  /** The stream's end is counted once, by whoever comes first. */
  private synchronized void closed() {
    if (isOpen) {
      isOpen = false;
      books.watchEnded(target.resource());
    }
  }

  private void goOn(Answer answer) {
    if (isStopped) {
      return;
    }
    if (isExpired || answer.status() == Answer.GONE) {
      version = "";
      isUnavailable = true;
      again();
    } else if (streams && !hasAll && isRefused(answer)) {
      streams = false;
      list("");
    } else if (answer.isOk() && (hadEvents || timer.nanos() - openedNanos >= VERY_SHORT_NANOS)) {
      again();
    } else {
      pause(this::again);
    }
  }

  /** Whether the server does not know such streams, as those before 1.32 and with the gate off. */
  private static boolean isRefused(Answer answer) {
    return answer.status() / 100 == 4
        && answer.status() != Answer.TOO_MANY_REQUESTS
        && answer.status() != Answer.FORBIDDEN
        && answer.status() != Answer.UNAUTHORIZED;
  }

  private void again() {
    if (isStopped) {
      return;
    }
    if (hasAll && !version.isEmpty()) {
      follow();
    } else if (streams) {
      stream();
    } else {
      list("");
    }
  }

  private void pause(Runnable then) {
    long now = timer.nanos();
    if (now - failedNanos > RESET_NANOS) {
      failures = 0;
    }
    failedNanos = now;
    long base = Math.min(FIRST_PAUSE_NANOS << Math.min(failures, 6), LONGEST_PAUSE_NANOS);
    failures++;
    timer.after((long) (base * (1 + random.nextDouble())), then);
  }
}
