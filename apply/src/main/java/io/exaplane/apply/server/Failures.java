// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.server;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.apply.port.ApiException;
import io.exaplane.apply.port.Failure;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLException;

/** What went wrong with a request, as the engine wants it. Pure. */
final class Failures {
  private static final int GATEWAY_TIMEOUT = 504;
  private static final int MOST_SHOWN = 500;

  /** Of what a server says; a webhook of a tenant may say megabytes of each object. */
  private static final int MOST_WORDS = 4_000;

  private static final int MOST_CAUSES = 64;

  /** Nobody else looks at an object that waits. */
  private static final long MOST_RETRY_SECONDS = 600;

  private Failures() {}

  /**
   * Of an answer that is no success.
   *
   * @param code of HTTP
   * @param body a {@code Status}, or what a proxy says
   * @param retryAfter header of that name; null when absent
   */
  static ApiException of(int code, byte[] body, String retryAfter) {
    JsonNode status = Json.orMissing(body);
    if (!status.path("kind").asText("").equals("Status")) {
      // A proxy's page may be as long as an answer; its beginning says what it is.
      String start = new String(body, 0, Math.min(body.length, MOST_WORDS), StandardCharsets.UTF_8);
      return new ApiException(
          new Failure(
              code,
              "",
              line(start, MOST_SHOWN),
              retryMs(retryAfter, 0),
              code == GATEWAY_TIMEOUT,
              List.of()));
    }
    return of(status, code, retryAfter);
  }

  /** Of a {@code Status}, also in a stream of events. */
  static ApiException of(JsonNode status, int code, String retryAfter) {
    JsonNode details = status.path("details");
    List<Failure.Cause> causes = new ArrayList<>();
    for (JsonNode one : details.path("causes")) {
      if (causes.size() < MOST_CAUSES) {
        causes.add(
            new Failure.Cause(
                line(one.path("reason").asText(""), MOST_SHOWN),
                line(one.path("field").asText(""), MOST_SHOWN),
                line(one.path("message").asText(""), MOST_SHOWN)));
      }
    }
    return new ApiException(
        new Failure(
            code,
            line(status.path("reason").asText(""), MOST_SHOWN),
            line(status.path("message").asText(""), MOST_WORDS),
            retryMs(retryAfter, details.path("retryAfterSeconds").asLong(0)),
            code == GATEWAY_TIMEOUT,
            causes));
  }

  /**
   * One line of a bounded length: the words of webhooks go to terminals, where control characters
   * are commands, and are kept for each object. The end often says the rule.
   */
  private static String line(String words, int most) {
    int end = words.length() - most / 4;
    String kept =
        words.length() > most
            ? words.substring(0, most - most / 4) + " … " + words.substring(end)
            : words;
    return kept.replaceAll("[\\p{Cc}\\s]+", " ").strip();
  }

  private static long retryMs(String header, long seconds) {
    // The other form of the header, a date, is none that API servers use.
    boolean isNumber = header != null && header.matches("[0-9]{1,6}");
    long asked = isNumber ? Long.parseLong(header) : seconds;
    return 1000 * Math.clamp(asked, 0, MOST_RETRY_SECONDS);
  }

  /**
   * Of a connection.
   *
   * @param failure what the client threw
   * @param writes whether the request would have changed something
   */
  static ApiException of(Throwable failure, boolean writes) {
    boolean neverSent = false;
    boolean isTooLarge = false;
    Throwable last = failure;
    for (Throwable at = failure; at != null; at = at.getCause() == at ? null : at.getCause()) {
      neverSent |=
          at instanceof ConnectException
              || at instanceof HttpConnectTimeoutException
              || at instanceof UnknownHostException
              || at instanceof SSLException;
      isTooLarge |= at instanceof Answer.TooLargeException;
      last = at;
    }
    String words = last.getMessage() == null ? last.getClass().getSimpleName() : last.getMessage();
    String reason = isTooLarge ? Failure.TOO_LARGE : "";
    return new ApiException(new Failure(0, reason, words, 0, writes && !neverSent, List.of()));
  }

  /** Of a server that does not answer, or whose stream is silent. */
  static ApiException silent(String message, boolean writes) {
    return new ApiException(new Failure(0, "Timeout", message, 0, writes, List.of()));
  }

  /** Of an answer that makes no sense. */
  static ApiException senseless(String message) {
    return new ApiException(new Failure(0, "", message, 0, false, List.of()));
  }
}
