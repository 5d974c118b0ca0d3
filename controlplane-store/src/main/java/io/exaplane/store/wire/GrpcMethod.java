// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

/**
 * A method of a gRPC service. Called on the event loop of the call's connection.
 *
 * @param <L> what the services keep for each event loop
 */
@FunctionalInterface
public interface GrpcMethod<L> {
  /** Takes a new call and returns who gets its messages. */
  GrpcListener open(GrpcStream stream, L lane);

  /** A method that answers one message, as soon as it is there. */
  static <L> GrpcMethod<L> unary(Unary<L> unary) {
    return (stream, lane) ->
        new GrpcListener() {
          private boolean answered;

          @Override
          public void message(byte[] array, int offset, int length) {
            if (!answered) {
              answered = true;
              unary.answer(stream, lane, array, offset, length);
            }
          }
        };
  }

  /** Answers one message, now or later. */
  @FunctionalInterface
  interface Unary<L> {
    void answer(GrpcStream stream, L lane, byte[] array, int offset, int length);
  }
}
