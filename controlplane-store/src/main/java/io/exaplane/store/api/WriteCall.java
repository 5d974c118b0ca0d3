// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.api.slow.SlowRequest;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.wire.GrpcListener;
import io.exaplane.store.wire.GrpcStream;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * A call whose one message the writer answers. A large answer goes out as its client takes it, in
 * portions like other long reads; memory that it was given goes back when it is out, when the
 * client leaves, or when the client is too slow. Belongs to its call's event loop.
 */
final class WriteCall extends LongReads.Read implements GrpcListener {
  /** Beside the time that the slowest client may take for the bytes. */
  private static final long PATIENCE_S = 30;

  private static final long LEAST_BYTES_PER_SECOND = 256 << 10;

  private final WriteMethod method;
  private final GrpcStream stream;
  private final Lane lane;
  private boolean submitted;
  private byte[] answer;
  private int at;
  private AnswerBudget budget;
  private long taken;
  private Future<?> deadline;
  private SlowRequest request;
  private long answeredNanos;

  /** For the writer to read. */
  private volatile boolean gone;

  WriteCall(WriteMethod method, GrpcStream stream, Lane lane) {
    super(stream::fail);
    this.method = method;
    this.stream = stream;
    this.lane = lane;
  }

  @Override
  public void message(byte[] array, int offset, int length) {
    if (!submitted) {
      submitted = true;
      Writes.submit(method, stream, lane, this, null, array, offset, length);
    }
  }

  /**
   * Answers with what an array has from some place on to its end.
   *
   * @param taken of a budget, which gets it back
   * @param request what was asked, and where its time went until now
   */
  void answer(byte[] array, int from, AnswerBudget budget, long taken, SlowRequest request) {
    this.budget = budget;
    this.taken = taken;
    this.request = request;
    answeredNanos = lane.slow().nanoTime();
    if (!stream.isOpen()) {
      giveBack();
      return;
    }
    answer = array;
    at = from;
    stream.begin(array.length - from);
    long seconds = PATIENCE_S + (array.length - from) / LEAST_BYTES_PER_SECOND;
    deadline = stream.loop().schedule(this::tooSlow, seconds, TimeUnit.SECONDS);
    writable();
  }

  private void tooSlow() {
    giveBack();
    stream.fail(StoreException.SLOW_READER);
  }

  @Override
  public void writable() {
    lane.longReads.wake(this);
  }

  @Override
  protected boolean canGoOn() {
    return answer != null && stream.isOpen() && stream.isWritable();
  }

  @Override
  protected void goOn() {
    int bytes = Math.min(answer.length - at, lane.longReads.portion().bytes());
    stream.part(answer, at, bytes);
    at += bytes;
    if (at == answer.length) {
      giveBack();
      lane.tellIfSlow(request.sentAfter(lane.slow().nanoTime() - answeredNanos));
      stream.finish();
    }
  }

  /** Whether the call is over. By any thread. */
  boolean isGone() {
    return gone;
  }

  @Override
  public void closed() {
    gone = true;
    giveBack();
  }

  private void giveBack() {
    answer = null;
    if (taken > 0) {
      budget.giveBack(taken);
      taken = 0;
    }
    if (deadline != null) {
      deadline.cancel(false);
      deadline = null;
    }
  }
}
