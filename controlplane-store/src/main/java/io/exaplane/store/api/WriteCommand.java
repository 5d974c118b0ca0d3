// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.codec.ProtoReader;
import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.wire.GrpcStream;

/**
 * A request on its way through the writer and back to the event loop of its call. Belongs to one of
 * the two at a time. Reused by its lane.
 */
final class WriteCommand {
  private static final int LARGE_BYTES = 64 << 10;

  /** What is to be done, by the writer. */
  @FunctionalInterface
  interface Work {
    /** Does it and writes the response. May throw a {@link StoreException}. */
    void apply(Applier applier, ProtoReader request, ReverseWriter response);
  }

  final Lane lane;
  private Work work;
  private GrpcStream stream;
  private Runnable answered;
  private byte[] request = new byte[1024];
  private int requestBytes;
  private byte[] response = new byte[256];
  private int responseBytes;
  private StoreException failure;

  WriteCommand(Lane lane) {
    this.lane = lane;
  }

  /**
   * Takes a request in.
   *
   * @param answered told when a response was sent that does not end the call; null if it does
   */
  void fill(Work work, GrpcStream stream, Runnable answered, byte[] array, int offset, int length) {
    this.work = work;
    this.stream = stream;
    this.answered = answered;
    if (request.length < length) {
      request = new byte[length];
    }
    System.arraycopy(array, offset, request, 0, length);
    requestBytes = length;
    failure = null;
  }

  int requestBytes() {
    return requestBytes;
  }

  /** By the writer. */
  void apply(Applier applier, ProtoReader reader, ReverseWriter writer) {
    try {
      writer.clear();
      work.apply(applier, reader.open(request, 0, requestBytes), writer);
      responseBytes = writer.length();
      if (response.length < responseBytes) {
        response = new byte[responseBytes];
      }
      System.arraycopy(writer.array(), writer.start(), response, 0, responseBytes);
    } catch (StoreException e) {
      failure = e;
    }
  }

  /** Fails it without having done anything. By the writer. */
  void refuse(StoreException why) {
    failure = why;
  }

  /** By the event loop, when what was done may be shown. */
  void answer() {
    if (failure != null) {
      stream.fail(failure);
    } else if (answered != null) {
      stream.send(response, 0, responseBytes);
      answered.run();
    } else {
      stream.reply(response, 0, responseBytes);
    }
    stream = null;
    work = null;
    answered = null;
    trim();
  }

  /** A rare large message must not stay in memory for ever. */
  private void trim() {
    if (request.length > LARGE_BYTES) {
      request = new byte[1024];
    }
    if (response.length > LARGE_BYTES) {
      response = new byte[256];
    }
  }
}
