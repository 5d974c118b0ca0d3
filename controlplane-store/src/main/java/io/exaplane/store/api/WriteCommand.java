// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.api.slow.SlowRequest;
import io.exaplane.store.codec.ProtoReader;
import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.load.KnownLoads;
import io.exaplane.store.wire.GrpcStatus;
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

    /** After {@link #LATER}: the key whose end it waits for. */
    default byte[] awaits() {
      throw new IllegalStateException("it never waits");
    }

    /** Looks whether it can be done now that had to wait before. May throw {@link #LATER}. */
    default void resume(Applier applier, ProtoReader request, ReverseWriter response) {
      apply(applier, request, response);
    }

    /** Its client left while it had to wait. */
    default void abandon(Applier applier, ProtoReader request) {}
  }

  /** Thrown by work that has to wait for what others do; what it did before stays done. */
  static final StoreException LATER = StoreException.unavailable("it waits");

  final Lane lane;
  private final WriteTimes times = new WriteTimes();
  private WriteMethod method;
  private GrpcStream stream;
  private Runnable answered;
  private byte[] request = new byte[1024];
  private int requestBytes;
  private final KnownLoads loads = new KnownLoads();
  private byte[] response = new byte[256];
  private int responseBytes;
  private StoreException failure;
  private WriteCall call;
  private AnswerBudget budget;
  private long taken;
  private byte[] large;
  private int largeFrom;
  private boolean isWaiting;

  WriteCommand(Lane lane) {
    this.lane = lane;
  }

  /**
   * Takes a request in.
   *
   * @param call gets a large answer; null if there can't be one
   * @param answered told when a response was sent that does not end the call; null if it does
   */
  void fill(
      WriteMethod method,
      GrpcStream stream,
      WriteCall call,
      Runnable answered,
      byte[] array,
      int offset,
      int length) {
    this.method = method;
    this.call = call;
    this.stream = stream;
    this.answered = answered;
    if (request.length < length) {
      request = new byte[length];
    }
    System.arraycopy(array, offset, request, 0, length);
    requestBytes = length;
    loads.clear();
    lane.largeValues.find(request, 0, length, loads);
    failure = null;
    times.received(lane.slow().nanoTime());
  }

  int requestBytes() {
    return requestBytes;
  }

  /** By the writer. */
  void apply(Applier applier, ProtoReader reader, ReverseWriter writer) {
    try {
      writer.clear();
      reader.open(request, 0, requestBytes);
      applier.keyspace().space().known(request, loads);
      if (!isWaiting) {
        method.work().apply(applier, reader, writer);
      } else if (call.isGone()) {
        method.work().abandon(applier, reader);
      } else {
        method.work().resume(applier, reader, writer);
      }
      isWaiting = false;
      responseBytes = writer.length();
      if (responseBytes > LARGE_BYTES && call != null) {
        largeFrom = writer.start();
        large = writer.detach();
      } else {
        if (response.length < responseBytes) {
          response = new byte[responseBytes];
        }
        System.arraycopy(writer.array(), writer.start(), response, 0, responseBytes);
      }
    } catch (StoreException e) {
      isWaiting = e == LATER;
      failure = isWaiting ? null : e;
    }
    applier.keyspace().space().known(null, null);
    budget = applier.answers().budget();
    taken = applier.answers().handOver();
  }

  /** Whether it is to be tried again after other changes. By the writer. */
  boolean isWaiting() {
    return isWaiting;
  }

  /** The key whose end it waits for. By the writer, while it waits. */
  byte[] awaits() {
    return method.work().awaits();
  }

  /** What it keeps while it waits: its request, what was made of that, and the key it awaits. */
  long waitingBytes() {
    return 3L * requestBytes + method.work().awaits().length;
  }

  /** Whether its client left while it waits. By the writer. */
  boolean isGone() {
    return call.isGone();
  }

  /** Fails it though it waits, and takes back what it did. By the writer. */
  void giveUp(Applier applier, ProtoReader reader, StoreException why) {
    method.work().abandon(applier, reader.open(request, 0, requestBytes));
    refuse(why);
  }

  /** Fails it without having done anything. By the writer. */
  void refuse(StoreException why) {
    isWaiting = false;
    failure = why;
  }

  /** When it came to which place. By the writer, while it has the command. */
  WriteTimes times() {
    return times;
  }

  /**
   * By the event loop, when what was done may be shown.
   *
   * @param now the time
   */
  void answer(long now) {
    if (large == null && lane.slow().isSlow(times.since(now))) {
      lane.tellIfSlow(describe(responseBytes, now));
    }
    if (failure != null) {
      Refusals.fail(stream, failure);
    } else if (large != null) {
      call.answer(large, largeFrom, budget, taken, describe(large.length - largeFrom, now));
      taken = 0; // is the call's now
    } else if (answered != null) {
      stream.send(response, 0, responseBytes);
      answered.run();
    } else {
      stream.reply(response, 0, responseBytes);
    }
    stream = null;
    method = null;
    answered = null;
    call = null;
    large = null;
    if (taken > 0) {
      budget.giveBack(taken);
      taken = 0;
    }
    trim();
  }

  private SlowRequest describe(long answerBytes, long now) {
    int code = failure == null ? 0 : failure.code().number();
    return times.describe(
        method.name(),
        request,
        requestBytes,
        failure == null ? answerBytes : 0,
        now,
        GrpcStatus.name(code),
        stream.client());
  }

  /** Bytes that it keeps for the next request. */
  int keptBytes() {
    return request.length + response.length;
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
