// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import java.util.function.Consumer;

/** A Kubernetes API. Thread-safe; calls return at once. */
interface Api {
  /**
   * Sends a request.
   *
   * @param then gets the answer, once, on the load's thread ({@link Timer})
   */
  void send(Call call, Consumer<Answer> then);

  /**
   * Opens a stream of events.
   *
   * @param watcher learns of it, on a thread of the connection
   * @return ends the stream, quietly
   */
  Runnable open(Call call, Watcher watcher);

  /** Who reads a stream; called by one thread at a time. */
  interface Watcher {
    /** The server accepted the watch. */
    void opened();

    /** More bytes of the stream, which end anywhere. */
    void data(byte[] bytes);

    /** The stream is over; the answer of a refused watch has its status and body. */
    void ended(Answer answer);
  }
}
