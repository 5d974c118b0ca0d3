// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.OptionalInt;

/**
 * What came back. Immutable; nobody changes the body.
 *
 * @param status of HTTP; 0 if no complete answer came
 * @param body of a request; empty for a watch that began
 * @param retryAfterSeconds of the header Retry-After; -1 without it
 * @param problem why no answer came; empty if one came
 */
record Answer(int status, byte[] body, int retryAfterSeconds, String problem) {
  static final int NONE = 0;
  static final int UNAUTHORIZED = 401;
  static final int FORBIDDEN = 403;
  static final int NOT_FOUND = 404;
  static final int CONFLICT = 409;
  static final int GONE = 410;
  static final int TOO_MANY_REQUESTS = 429;
  private static final int SERVER_ERROR = 500;
  private static final JsonMapper JSON = new JsonMapper();
  private static final int STATUS_MESSAGE = 3;

  static Answer none(String problem) {
    return new Answer(NONE, new byte[0], -1, problem);
  }

  boolean isOk() {
    return status / 100 == 2;
  }

  /** Seconds to wait before the request is repeated; empty if client-go would not repeat it. */
  OptionalInt repeatAfterSeconds() {
    boolean busy = status == TOO_MANY_REQUESTS || status >= SERVER_ERROR;
    return busy && retryAfterSeconds >= 0 ? OptionalInt.of(retryAfterSeconds) : OptionalInt.empty();
  }

  /** What the server or the connection said, for people. */
  String words() {
    if (status == NONE) {
      return problem;
    }
    return "status " + status + (isOk() ? "" : ": " + message());
  }

  private String message() {
    try {
      byte[] raw = Kube.unwrapped(body);
      return raw == null
          ? JSON.readTree(body).path("message").asText("")
          : Kube.text(raw, STATUS_MESSAGE);
    } catch (IOException | IllegalArgumentException e) {
      return "the answer cannot be read";
    }
  }
}
