// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

import io.exaplane.store.core.error.StoreException;
import io.netty.util.concurrent.EventExecutor;

/** A call, as a service sees it. All methods belong to the event loop of its connection. */
public interface GrpcStream {
  /** The event loop that everything about this call belongs to. By any thread. */
  EventExecutor loop();

  /** A field of what the client said when it called; null if it did not say it. While it opens. */
  CharSequence metadata(CharSequence name);

  /** Who calls, for the log: the name in the client's certificate, and the address. */
  default String client() {
    return "";
  }

  /** Whether nobody has asked this before of the call's connection, nor of a call without one. */
  default boolean isFirstWrite() {
    return false;
  }

  /** Whether the call is still going on. */
  boolean isOpen();

  /** Whether what is sent now goes out without piling up here. */
  boolean isWritable();

  /** Answers with one message and ends the call well. */
  void reply(byte[] array, int offset, int length);

  /** Sends a message. */
  void send(byte[] array, int offset, int length);

  /** Begins a message that comes in parts. Nothing else may be sent before its last one. */
  void begin(long messageBytes);

  /** Sends a part of the message that was begun. */
  void part(byte[] array, int offset, int length);

  /** Ends the call well. */
  void finish();

  /** Ends the call with what was wrong with it. */
  void fail(StoreException e);

  /**
   * Asks the client to make its next calls by a new connection; calls that are open go on to their
   * end. Nothing where a connection has no word for it, as HTTP/1.1.
   */
  default void leave() {}
}
