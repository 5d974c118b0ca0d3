// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

/** Gets what a client sends in one call. Called on the connection's event loop. */
@FunctionalInterface
public interface GrpcListener {
  /** A whole message; the bytes are the listener's until it returns. */
  void message(byte[] array, int offset, int length);

  /** The client sends no more messages. */
  default void halfClosed() {}

  /** Whether the client may send any number of messages; else it has to send one. */
  default boolean takesMany() {
    return false;
  }

  /** More can be sent than when {@link GrpcStream#isWritable} said no. */
  default void writable() {}

  /**
   * The call has an outcome; called once, before {@link #closed}.
   *
   * @param nanos since it began
   * @param code of gRPC
   */
  default void ended(long nanos, int code) {}

  /** The call is over, however it ended; called once. */
  default void closed() {}
}
