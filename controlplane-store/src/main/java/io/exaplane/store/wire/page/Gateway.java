// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire.page;

import io.netty.channel.EventLoop;

/**
 * Answers requests of paths of its own, in parts as they come. It sees requests before the pages
 * do, on the ports of clients, by HTTP/1.1 and HTTP/2 alike. Thread-safe; each request belongs to
 * its connection's event loop.
 */
public interface Gateway {
  /** Whether a path, which may have a query, is the gateway's. */
  boolean has(String path);

  /** The largest body that a request may have. */
  int mostBodyBytes();

  /**
   * Serves one request.
   *
   * @param body the whole one
   */
  void serve(String method, String path, String body, Client client);

  /** Who asked, and takes the answer. Belongs to the event loop. */
  interface Client {
    EventLoop loop();

    /** Who asks, for the log. */
    String name();

    /** Whether more can be sent without filling memory. */
    boolean isWritable();

    /** Begins the answer, which is JSON. */
    void begin(int status);

    /**
     * Sends the next part.
     *
     * @param taken is run once the client has taken it, or never will
     */
    void part(String json, Runnable taken);

    /** Ends the answer. */
    void end();

    /**
     * Has somebody told when more can be sent again, after it could not.
     *
     * @param writable null for nobody any more
     */
    void whenWritable(Runnable writable);

    /**
     * Has somebody told when the client goes before the answer's end.
     *
     * @param gone null for nobody any more
     */
    void whenGone(Runnable gone);
  }
}
