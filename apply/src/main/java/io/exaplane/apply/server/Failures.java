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
      String words = new String(body, StandardCharsets.UTF_8).strip().replaceAll("\\s+", " ");
      String shown = words.length() > MOST_SHOWN ? words.substring(0, MOST_SHOWN) + "…" : words;
      return new ApiException(
          new Failure(code, "", shown, retryMs(retryAfter, 0), code == GATEWAY_TIMEOUT, List.of()));
    }
    return of(status, code, retryAfter);
  }

  /** Of a {@code Status}, also in a stream of events. */
  static ApiException of(JsonNode status, int code, String retryAfter) {
    JsonNode details = status.path("details");
    List<Failure.Cause> causes = new ArrayList<>();
    for (JsonNode one : details.path("causes")) {
      causes.add(
          new Failure.Cause(
              one.path("reason").asText(""),
              one.path("field").asText(""),
              one.path("message").asText("")));
    }
    return new ApiException(
        new Failure(
            code,
            status.path("reason").asText(""),
            status.path("message").asText(""),
            retryMs(retryAfter, details.path("retryAfterSeconds").asLong(0)),
            code == GATEWAY_TIMEOUT,
            causes));
  }

  private static long retryMs(String header, long seconds) {
    // The other form of the header, a date, is none that API servers use.
    boolean isNumber = header != null && header.matches("[0-9]{1,6}");
    return 1000 * (isNumber ? Long.parseLong(header) : seconds);
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
