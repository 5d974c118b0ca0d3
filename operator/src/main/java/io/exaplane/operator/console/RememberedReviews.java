// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.console;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Remembers answers for ten seconds, so that open pages cost the API server little. While the API
 * server does not answer, the last answer counts for five minutes: an outage is when people need to
 * look. Tokens are remembered as hashes. Thread-safe.
 */
final class RememberedReviews implements Reviews {
  static final Duration FRESH = Duration.ofSeconds(10);
  static final Duration LAST = Duration.ofMinutes(5);

  /** Answers of each kind, of which those that were asked for longest ago go first. */
  static final int MOST = 10_000;

  private final Reviews api;
  private final LongSupplier nanoTime;
  private final Map<Object, Answer<?>> answers =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, Answer<?>> eldest) {
          return size() > MOST;
        }
      };

  private record Answer<T>(T value, long atNanos) {}

  private record Token(String sha256) {}

  private record Question(Viewer viewer, Right right) {}

  RememberedReviews(Reviews api, LongSupplier nanoTime) {
    this.api = api;
    this.nanoTime = nanoTime;
  }

  @Override
  public Optional<Viewer> who(String token) {
    return ask(new Token(sha256(token)), () -> api.who(token));
  }

  @Override
  public boolean knows(String token) {
    synchronized (answers) {
      Answer<?> known = answers.get(new Token(sha256(token)));
      return known != null
          && known.value() instanceof Optional<?> viewer
          && viewer.isPresent()
          && age(known).compareTo(LAST) < 0;
    }
  }

  @Override
  public boolean may(Viewer viewer, Right right) {
    return ask(new Question(viewer, right), () -> api.may(viewer, right));
  }

  @SuppressWarnings("unchecked")
  private <T> T ask(Object question, Supplier<T> api) {
    Answer<T> known;
    synchronized (answers) {
      known = (Answer<T>) answers.get(question);
    }
    if (known != null && age(known).compareTo(FRESH) < 0) {
      return known.value();
    }
    try {
      T value = api.get();
      synchronized (answers) {
        answers.put(question, new Answer<>(value, nanoTime.getAsLong()));
      }
      return value;
    } catch (Unreachable e) {
      if (known != null && age(known).compareTo(LAST) < 0) {
        return known.value();
      }
      throw e;
    }
  }

  private Duration age(Answer<?> answer) {
    return Duration.ofNanos(nanoTime.getAsLong() - answer.atNanos());
  }

  private static String sha256(String token) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each Java has SHA-256", e);
    }
  }
}
