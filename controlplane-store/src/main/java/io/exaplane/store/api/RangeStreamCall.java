// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.api.slow.AskedKeys;
import io.exaplane.store.api.slow.SlowRequest;
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
import io.exaplane.store.wire.GrpcStatus;
import io.exaplane.store.wire.GrpcStream;

/**
 * One call of etcdserverpb.KV/RangeStream (KEP-5966): the answer to a Range in pieces, all at the
 * revision at which it began; header, count and more come with the last one. A piece is made when
 * the client has taken the ones before, so that a large answer takes little memory.
 */
final class RangeStreamCall extends LongReads.Read implements GrpcListener {
  private static final int FIRST_PIECE_KEYS = 10;

  private final GrpcStream stream;
  private final Lane lane;
  private final RevisionPins pins;
  private final RangeRequest request = new RangeRequest();
  private PinnedRange range;
  private long revision;
  private long count;
  private boolean first = true;
  private long beganNanos;
  private AskedKeys asked;
  private int requestBytes;
  private long keys;
  private long bytes;

  RangeStreamCall(GrpcStream stream, Lane lane, RevisionPins pins) {
    super(stream::fail);
    this.stream = stream;
    this.lane = lane;
    this.pins = pins;
  }

  @Override
  public void message(byte[] array, int offset, int length) {
    if (range != null) {
      return;
    }
    beganNanos = lane.slow().nanoTime();
    requestBytes = length;
    try {
      RequestCodec.range(lane.proto.open(array, offset, length), request);
      RequestChecks.checkStream(request);
      lane.gate.pass(request);
      asked = AskedKeys.of(request);
      begin();
    } catch (StoreException e) {
      Refusals.fail(stream, e);
    }
  }

  private void begin() {
    lane.reader.enter();
    try {
      View view = lane.keyspace.view();
      long at = RangeReader.resolve(view, request);
      count = lane.rangeReader.count(view, request.range(), at);
      revision = view.revision();
      range =
          new PinnedRange(
              lane,
              pins,
              stream,
              request,
              PinnedRange.most(request),
              at,
              () -> stream.fail(StoreException.COMPACTED));
    } finally {
      lane.reader.leave();
    }
    writable();
  }

  @Override
  public void writable() {
    lane.longReads.wake(this);
  }

  @Override
  protected boolean canGoOn() {
    return range != null && range.isPinned() && stream.isOpen() && stream.isWritable();
  }

  @Override
  protected void goOn() {
    boolean last;
    lane.reader.enter();
    try {
      last =
          range.readPiece(
              first ? FIRST_PIECE_KEYS : Integer.MAX_VALUE, lane.longReads.portion().bytes());
      first = false;
      // As etcd does, which takes an order that is asked for by its target alone piece by piece.
      lane.ranges.sort(request, range.piece());
      keys += range.piece().records.size();
      encode(range.piece(), last);
    } finally {
      lane.reader.leave();
    }
    bytes += lane.out.length();
    if (last) {
      range.unpin();
      stream.reply(lane.out.array(), lane.out.start(), lane.out.length());
    } else {
      stream.send(lane.out.array(), lane.out.start(), lane.out.length());
    }
  }

  private void encode(RangeResult piece, boolean last) {
    ReverseWriter out = lane.out.clear();
    piece.count = last ? count : 0;
    if (last) {
      piece.revision = revision;
      lane.codec.range(out, piece);
    } else {
      lane.codec.rangeBody(out, piece);
    }
    out.message(1, 0);
  }

  @Override
  public void ended(long nanos, int code) {
    if (asked != null && lane.slow().isSlow(nanos)) {
      long all = lane.slow().nanoTime() - beganNanos;
      long worked = Math.min(all, workedNanos());
      long waited = Math.min(all - worked, waitedNanos());
      lane.tellIfSlow(
          new SlowRequest(
              "KV/RangeStream",
              asked,
              keys,
              requestBytes,
              bytes,
              waited,
              worked,
              0,
              all - worked - waited,
              GrpcStatus.name(code),
              stream.client()));
    }
  }

  /** The call is closed when the answer has gone, or when the client left. */
  @Override
  public void closed() {
    if (range != null) {
      range.unpin();
    }
  }
}
