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
 * One call of etcdserverpb.KV/Range. A small answer is made at once. Of a large one first only the
 * length is found out, which gRPC wants before all else, then it is made in pieces as the client
 * takes them, so that large answers take little memory and keep nobody else waiting; but for one in
 * another order than that of keys.
 */
final class RangeCall extends LongReads.Read implements GrpcListener {
  private static final long LARGE_BYTES = 1 << 20;

  /** What clients take at most. */
  private static final long MOST_BYTES = Integer.MAX_VALUE;

  private final GrpcStream stream;
  private final Lane lane;
  private final RevisionPins pins;
  private boolean answered;
  private PinnedRange range;
  private boolean isMeasured;
  private long bytes;
  private byte[] header;
  private byte[] end;

  RangeCall(GrpcStream stream, Lane lane, RevisionPins pins) {
    super(stream::fail);
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
      long keys = keys(view, request);
      if (keys > lane.longReads.portion().keys()) {
        result.clear();
        result.revision = view.revision();
        result.count = keys;
        result.more = request.limit > 0 && keys > request.limit;
        begin(view, request, result);
      } else {
        lane.countShortRequest();
        lane.ranges.execute(view, request, result);
        bytes = lane.codec.keyValuesBytes(result);
        if (bytes > LARGE_BYTES && request.isInKeyOrder()) {
          begin(view, request, result);
          measured();
        } else {
          lane.codec.range(lane.out.clear(), result);
        }
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

  /** Keys in the range if it may be a long read, else 0. */
  private long keys(View view, RangeRequest request) {
    boolean mayBeLong =
        !request.rangeEnd.isEmpty()
            && !request.countOnly
            && (request.limit <= 0 || request.limit > lane.longReads.portion().keys())
            && request.isInKeyOrder();
    if (!mayBeLong) {
      return 0;
    }
    long at = RangeReader.resolve(view, request);
    return lane.rangeReader.count(view, request.range(), at);
  }

  private void begin(View view, RangeRequest request, RangeResult result) {
    ReverseWriter out = lane.out.clear();
    lane.codec.rangeEnd(out, result);
    end = out.copy();
    lane.codec.header(out.clear(), result.revision);
    header = out.copy();
    long at = RangeReader.resolve(view, request);
    range = new PinnedRange(lane, pins, stream, request, at, this::stalled);
  }

  private void measured() {
    isMeasured = true;
    long all = header.length + bytes + end.length;
    if (all > MOST_BYTES) {
      range.unpin();
      stream.fail(StoreException.RESPONSE_TOO_LARGE);
      return;
    }
    range.rewind();
    stream.begin(all);
    stream.part(header, 0, header.length);
  }

  @Override
  public void writable() {
    lane.longReads.wake(this);
  }

  @Override
  boolean canGoOn() {
    return range != null
        && range.isPinned()
        && stream.isOpen()
        && (!isMeasured || stream.isWritable());
  }

  @Override
  void goOn() {
    if (isMeasured) {
      sendPiece();
    } else {
      measurePiece();
    }
  }

  private void measurePiece() {
    boolean last;
    lane.reader.enter();
    try {
      last = range.readPiece(lane.longReads.portion().keys(), Long.MAX_VALUE);
      bytes += lane.codec.keyValuesBytes(range.piece());
    } finally {
      lane.reader.leave();
    }
    if (last) {
      measured();
    }
  }

  private void sendPiece() {
    boolean last;
    ReverseWriter out = lane.out.clear();
    lane.reader.enter();
    try {
      last = range.readPiece(Integer.MAX_VALUE, lane.longReads.portion().bytes());
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
