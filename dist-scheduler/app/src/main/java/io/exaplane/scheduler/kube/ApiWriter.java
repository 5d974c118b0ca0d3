// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.kube;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** Asks the API server to change something, or for one object. */
@FunctionalInterface
public interface ApiWriter {
  /**
   * A request.
   *
   * @param contentType of the body; says how a PATCH is meant
   * @param body as a JSON parser would leave it, or null
   */
  record Request(String method, String path, String contentType, Map<String, Object> body) {
    @Override
    public String toString() {
      return method + " " + path;
    }
  }

  /**
   * An answer.
   *
   * @param retryAfter how long the server asks to wait; zero if it does not
   * @param object what it says, as a JSON parser leaves it; empty if it is no object
   */
  record Reply(int status, Duration retryAfter, Map<String, Object> object) {
    private static final int OK = 200;
    private static final int REDIRECT = 300;
    private static final int TOO_MANY = 429;
    private static final int SERVER_ERROR = 500;
    private static final int UNAVAILABLE = 503;

    public boolean isSuccess() {
      return status >= OK && status < REDIRECT;
    }

    /** Whether the same request may succeed a little later. */
    public boolean isWorthAnotherTry() {
      return status == TOO_MANY || status >= SERVER_ERROR;
    }

    /** Whether the server has too much to do, or is about to end. */
    public boolean isBusy() {
      return status == TOO_MANY || status == UNAVAILABLE;
    }

    /** What a Status says, or the number of the status. */
    public String message() {
      Object message = object.get("message");
      return message == null ? "status " + status : message.toString();
    }
  }

  /**
   * Sends a request once. It may have been done even if this throws.
   *
   * @throws IOException if there is no answer
   */
  Reply send(Request request) throws IOException, InterruptedException;
}
