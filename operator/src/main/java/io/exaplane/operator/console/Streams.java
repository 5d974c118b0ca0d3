// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.console;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jboss.logging.Logger;

/**
 * Open pages: each gets the sections that changed, as server-sent events. At most 64 are open, 8 of
 * one user. One thread looks at the objects twice a second, and only while a page is open.
 * Thread-safe; each stream has the thread that serves it.
 */
final class Streams implements AutoCloseable {
  static final int MOST = 64;
  static final int MOST_OF_ONE = 8;
  private static final Duration LOOK = Duration.ofMillis(500);

  /** Rights are checked at least that often, and proxies see that the connection lives. */
  private static final Duration BEAT = Duration.ofSeconds(10);

  private static final Logger LOG = Logger.getLogger(Streams.class);

  private final Changes changes;
  private final Function<Section, String> html;
  private final Map<String, Integer> open = new HashMap<>();
  private final CountDownLatch over = new CountDownLatch(1);
  private int all;

  /** Where the events of a stream go. */
  interface Sink {
    /** Whether somebody still listens. */
    boolean isOpen();

    /**
     * Sends text, unless the listener is too slow for it.
     *
     * @return whether it was sent
     */
    boolean send(String text);
  }

  /** What a stream shows: nothing any more if its viewer may not see it, or is not known. */
  interface Source {
    /**
     * The sections now.
     *
     * @throws Reviews.Unreachable if the API server does not answer
     */
    Optional<List<Section>> sections();
  }

  Streams(Changes changes, Function<Section, String> html) {
    this.changes = changes;
    this.html = html;
  }

  /** Begins to look. */
  void start() {
    Thread.ofPlatform().daemon().name("console-changes").start(this::look);
  }

  private void look() {
    try {
      while (!over.await(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
        if (count() > 0) {
          lookOnce();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void lookOnce() {
    try {
      changes.look();
    } catch (RuntimeException e) {
      // The next look may find the informers in order; pages show what they had.
      LOG.warn("the console could not read the informers", e);
    }
  }

  private synchronized int count() {
    return all;
  }

  /** Whether a user may have one more; whoever may must call {@link #leave}. */
  synchronized boolean enter(String user) {
    int own = open.getOrDefault(user, 0);
    if (all >= MOST || own >= MOST_OF_ONE) {
      return false;
    }
    all++;
    open.put(user, own + 1);
    return true;
  }

  /** Gives the place of a stream back. */
  synchronized void leave(String user) {
    all--;
    open.computeIfPresent(user, (_, own) -> own == 1 ? null : own - 1);
  }

  /**
   * Serves a stream until its listener leaves, or its viewer may not see it any more.
   *
   * @param namespace whose objects it shows; "" for all control planes
   * @throws Reviews.Unreachable if the API server does not answer for so long that nobody's rights
   *     are known; the browser then asks for another stream
   */
  void serve(String namespace, Source source, Sink sink) throws InterruptedException {
    Map<String, String> sent = new HashMap<>();
    while (sink.isOpen() && over.getCount() > 0) {
      long number = changes.number(namespace);
      Optional<List<Section>> sections = source.sections();
      if (sections.isEmpty()) {
        sink.send(event("over", ""));
        return;
      }
      StringBuilder text = new StringBuilder(": alive\n\n");
      Map<String, String> next = new HashMap<>();
      for (Section section : sections.get()) {
        String now = html.apply(section);
        next.put(section.name(), now);
        if (!now.equals(sent.get(section.name()))) {
          text.append(event(section.name(), now));
        }
      }
      if (sink.send(text.toString())) {
        sent = next;
      }
      changes.await(namespace, number, BEAT.toMillis());
    }
  }

  /** As a browser's EventSource reads it. */
  static String event(String name, String data) {
    StringBuilder text = new StringBuilder("event: ").append(name).append('\n');
    data.lines().forEach(line -> text.append("data: ").append(line).append('\n'));
    if (data.isEmpty()) {
      text.append("data:\n");
    }
    return text.append('\n').toString();
  }

  @Override
  public void close() {
    over.countDown();
  }
}
