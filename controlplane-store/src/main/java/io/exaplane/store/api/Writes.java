// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.wire.GrpcListener;
import io.exaplane.store.wire.GrpcMethod;
import io.exaplane.store.wire.GrpcStream;

/** Ways of a message to the writer. */
final class Writes {
  private Writes() {}

  /** A method whose one message the writer answers. */
  static GrpcMethod<Lane> unary(StoreWriter writer, WriteCommand.Work work) {
    return (stream, lane) -> new WriteCall(writer, work, stream, lane);
  }

  /** A method each of whose messages the writer answers. */
  static GrpcMethod<Lane> stream(StoreWriter writer, WriteCommand.Work work) {
    return (stream, lane) -> new Messages(writer, work, stream, lane);
  }

  /** The call ends well when the client has said all and got all answers. */
  private static final class Messages implements GrpcListener {
    private final StoreWriter writer;
    private final WriteCommand.Work work;
    private final GrpcStream stream;
    private final Lane lane;
    private final Runnable answered = this::answered;
    private int unanswered;
    private boolean halfClosed;

    Messages(StoreWriter writer, WriteCommand.Work work, GrpcStream stream, Lane lane) {
      this.writer = writer;
      this.work = work;
      this.stream = stream;
      this.lane = lane;
    }

    @Override
    public void message(byte[] array, int offset, int length) {
      unanswered++;
      submit(writer, work, stream, lane, null, answered, array, offset, length);
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
      StoreWriter writer,
      WriteCommand.Work work,
      GrpcStream stream,
      Lane lane,
      WriteCall call,
      Runnable answered,
      byte[] array,
      int offset,
      int length) {
    if (length > writer.maxRequestBytes()) {
      stream.fail(StoreException.REQUEST_TOO_LARGE);
      return;
    }
    WriteCommand command = lane.take();
    command.fill(work, stream, call, answered, array, offset, length);
    if (!writer.offer(command)) {
      lane.giveBack(command);
      stream.fail(StoreException.TOO_MANY_REQUESTS);
    }
  }
}
