// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app.tls;

import java.security.cert.X509Certificate;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Says whose certificate opened connections, and whose did not: once for each subject and address,
 * then again with the number since when a minute has gone by. A client that comes from everywhere
 * costs at most so many lines a minute. Thread-safe.
 */
final class ClientLog {
  private static final long AGAIN_AFTER_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int MOST_CLIENTS = 512;
  private static final int MOST_LINES = 60;
  private static final int MOST_CHARACTERS = 200;

  private static final class Seen {
    long saidAtNanos;
    long since;
  }

  private final Consumer<String> info;
  private final Consumer<String> warning;
  private final LongSupplier nanoTime;
  private final Map<String, Seen> seen =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Seen> eldest) {
          return size() > MOST_CLIENTS;
        }
      };
  private long minuteBeganNanos;
  private int lines;

  ClientLog(Consumer<String> info, Consumer<String> warning, LongSupplier nanoTime) {
    this.info = info;
    this.warning = warning;
    this.nanoTime = nanoTime;
    this.minuteBeganNanos = nanoTime.getAsLong();
  }

  /** The subject of a client's own certificate, without what would break a line of the log. */
  static String subject(X509Certificate[] chain) {
    String name = chain.length == 0 ? "" : chain[0].getSubjectX500Principal().getName();
    String printable = name.replaceAll("[^\\p{Print}]", "?");
    return printable.length() > MOST_CHARACTERS
        ? printable.substring(0, MOST_CHARACTERS) + "…"
        : printable;
  }

  void connected(String subject, String address) {
    say(info, "client %s connected from %s".formatted(subject, address));
  }

  void refused(String subject, String address, String why) {
    say(warning, "refused client %s from %s: %s".formatted(subject, address, why));
  }

  private synchronized void say(Consumer<String> level, String text) {
    long now = nanoTime.getAsLong();
    Seen before = seen.get(text);
    if (before != null && now - before.saidAtNanos < AGAIN_AFTER_NANOS) {
      before.since++;
      return;
    }
    if (now - minuteBeganNanos >= AGAIN_AFTER_NANOS) {
      minuteBeganNanos = now;
      lines = 0;
    }
    if (lines == MOST_LINES) {
      level.accept(
          "more clients connect than the log names; the log names clients again in a minute");
    }
    if (lines++ >= MOST_LINES) {
      return;
    }
    long times = before == null ? 0 : before.since;
    Seen current = new Seen();
    current.saidAtNanos = now;
    seen.put(text, current);
    level.accept(times == 0 ? text : text + " (and %d times since the last line)".formatted(times));
  }
}
