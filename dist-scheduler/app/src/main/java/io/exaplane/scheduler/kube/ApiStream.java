// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.kube;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/** Answers of the API server, as they come. */
@FunctionalInterface
public interface ApiStream {
  /**
   * An answer.
   *
   * @param retryAfter how long the server asks to wait; zero if it does not
   * @param body to be closed; closing it ends the request
   */
  record Answer(int status, Duration retryAfter, InputStream body) {}

  /**
   * Asks with GET.
   *
   * @param pathAndQuery behind the server's address
   * @param accept the encoding that is wanted
   * @throws IOException if there is no answer
   */
  Answer get(String pathAndQuery, String accept) throws IOException, InterruptedException;
}
