// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.wire.GrpcListener;
import io.exaplane.store.wire.GrpcServices;
import io.exaplane.store.wire.GrpcStream;

/** Ways of a message to the writer. */
final class Writes {
  private Writes() {}

  /** Adds a method whose one message the writer answers. */
  static void unary(
      GrpcServices<Lane> services, String path, StoreWriter writer, WriteCommand.Work work) {
    WriteMethod method = WriteMethod.of(path, writer, work);
    services.add(path, (stream, lane) -> new WriteCall(method, stream, lane));
  }

  /** Adds a method each of whose messages the writer answers. */
  static void stream(
      GrpcServices<Lane> services, String path, StoreWriter writer, WriteCommand.Work work) {
    WriteMethod method = WriteMethod.of(path, writer, work);
    services.add(path, (stream, lane) -> new Messages(method, stream, lane));
  }

  /** The call ends well when the client has said all and got all answers. */
  private static final class Messages implements GrpcListener {
    private final WriteMethod method;
    private final GrpcStream stream;
    private final Lane lane;
    private final Runnable answered = this::answered;
    private int unanswered;
    private boolean halfClosed;

    Messages(WriteMethod method, GrpcStream stream, Lane lane) {
      this.method = method;
      this.stream = stream;
      this.lane = lane;
    }

    @Override
    public void message(byte[] array, int offset, int length) {
      unanswered++;
      submit(method, stream, lane, null, answered, array, offset, length);
    }

    private void answered() {
      unanswered--;
      finishIfDone();
    }

    @Override
    public boolean takesMany() {
      return true;
    }

    @Override
    public void halfClosed() {
      halfClosed = true;
      finishIfDone();
    }

    private void finishIfDone() {
      if (halfClosed && unanswered == 0) {
        stream.finish();
      }
    }
  }

  /**
   * Has the writer carry out a request.
   *
   * @param call gets a large answer; null if there can't be one
   * @param answered told when a response was sent that does not end the call; null if it does
   */
  static void submit(
      WriteMethod method,
      GrpcStream stream,
      Lane lane,
      WriteCall call,
      Runnable answered,
      byte[] array,
      int offset,
      int length) {
    if (length > method.writer().maxRequestBytes()) {
      stream.fail(StoreException.REQUEST_TOO_LARGE);
      return;
    }
    lane.writers.write(stream, method);
    WriteCommand command = lane.take();
    command.fill(method, stream, call, answered, array, offset, length);
    if (!method.writer().offer(command)) {
      lane.giveBack(command);
      stream.fail(StoreException.TOO_MANY_REQUESTS);
    }
  }
}
