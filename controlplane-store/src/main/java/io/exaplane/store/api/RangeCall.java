// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.codec.RequestCodec;
import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.RangeReader;
import io.exaplane.store.core.RevisionPins;
import io.exaplane.store.core.View;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.request.RangeRequest;
import io.exaplane.store.core.request.RequestChecks;
import io.exaplane.store.core.result.RangeResult;
import io.exaplane.store.wire.GrpcListener;
import io.exaplane.store.wire.GrpcStream;

/**
 * One call of etcdserverpb.KV/Range. A small answer is made at once. Of a large one only the length
 * is found out, then it is made in pieces as the client takes them, so that slow clients with large
 * answers take little memory; but for one in another order than that of keys.
 */
final class RangeCall implements GrpcListener {
  private static final long LARGE_BYTES = 1 << 20;

  /** What clients take at most. */
  private static final long MOST_BYTES = Integer.MAX_VALUE;

  private final GrpcStream stream;
  private final Lane lane;
  private final RevisionPins pins;
  private boolean answered;
  private PinnedRange range;
  private byte[] end;

  RangeCall(GrpcStream stream, Lane lane, RevisionPins pins) {
    this.stream = stream;
    this.lane = lane;
    this.pins = pins;
  }

  @Override
  public void message(byte[] array, int offset, int length) {
    if (answered) {
      return;
    }
    answered = true;
    RangeRequest request = lane.rangeRequest;
    try {
      RequestCodec.range(lane.proto.open(array, offset, length), request);
      RequestChecks.check(request);
      answer(request);
    } catch (StoreException e) {
      stream.fail(e);
    }
  }

  private void answer(RangeRequest request) {
    RangeResult result = lane.rangeResult;
    lane.reader.enter();
    try {
      View view = lane.keyspace.view();
      lane.ranges.execute(view, request, result);
      long bytes = lane.codec.keyValuesBytes(result);
      if (bytes > LARGE_BYTES && request.isInKeyOrder()) {
        begin(view, request, result, bytes);
      } else {
        lane.codec.range(lane.out.clear(), result);
      }
    } finally {
      lane.reader.leave();
    }
    if (range == null) {
      stream.reply(lane.out.array(), lane.out.start(), lane.out.length());
    } else {
      writable();
    }
  }

  private void begin(View view, RangeRequest request, RangeResult result, long bytes) {
    ReverseWriter out = lane.out.clear();
    lane.codec.rangeEnd(out, result);
    end = out.copy();
    out.clear();
    lane.codec.header(out, result.revision);
    if (bytes + end.length + out.length() > MOST_BYTES) {
      throw StoreException.RESPONSE_TOO_LARGE;
    }
    long at = RangeReader.resolve(view, request.revision);
    range = new PinnedRange(lane, pins, stream, request, at, this::stalled);
    stream.begin(bytes + end.length + out.length());
    stream.part(out.array(), out.start(), out.length());
  }

  @Override
  public void writable() {
    while (range != null && range.isPinned() && stream.isOpen() && stream.isWritable()) {
      boolean last;
      ReverseWriter out = lane.out.clear();
      lane.reader.enter();
      try {
        last = range.readPiece(Integer.MAX_VALUE);
        lane.codec.keyValues(out, range.piece());
      } finally {
        lane.reader.leave();
      }
      stream.part(out.array(), out.start(), out.length());
      if (last) {
        range.unpin();
        stream.part(end, 0, end.length);
        stream.finish();
      }
    }
  }

  /** Half of a message is there: the call can only be broken off. */
  private void stalled() {
    stream.fail(StoreException.COMPACTED);
  }

  @Override
  public void closed() {
    if (range != null) {
      range.unpin();
    }
  }
}
