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
import io.exaplane.store.core.execute.RangeOrder;
import io.exaplane.store.core.request.RangeRequest;
import io.exaplane.store.core.request.RequestChecks;
import io.exaplane.store.core.result.RangeResult;
import io.exaplane.store.wire.GrpcListener;
import io.exaplane.store.wire.GrpcStatus;
import io.exaplane.store.wire.GrpcStream;

/**
 * One call of etcdserverpb.KV/Range. A small answer is made at once. Of a large one its keys are
 * brought into the order that is asked for, if that is not theirs; then its length is found out,
 * which gRPC wants before all else; then it is made in pieces as the client takes them. All of that
 * goes on by portions, so that large answers take little memory and keep nobody else waiting. The
 * order alone takes heap for each key, out of the budget of all answers.
 */
final class RangeCall extends LongReads.Read implements GrpcListener {
  private static final long LARGE_BYTES = 1 << 20;

  /** What clients take at most. */
  private static final long MOST_BYTES = Integer.MAX_VALUE;

  /** What it does next. */
  private enum Phase {
    COLLECT,
    ORDER,
    MEASURE,
    SEND
  }

  private final GrpcStream stream;
  private final Lane lane;
  private final RevisionPins pins;
  private boolean answered;
  private Phase phase = Phase.MEASURE;
  private PinnedRange range;
  private PinnedSlots slots;
  private PinnedRead source;
  private final RangeResult frame = new RangeResult();
  private long bytes;
  private byte[] header;
  private byte[] end;
  private long taken;
  private long beganNanos;
  private long keys;

  /** What a long read was asked for; null of a short one, whose request is still there. */
  private AskedKeys asked;

  private int requestBytes;

  /** Its end may come later, on purpose, when its request is there no more. */
  private boolean isRefused;

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
    beganNanos = lane.slow().nanoTime();
    requestBytes = length;
    RangeRequest request = lane.rangeRequest;
    try {
      RequestCodec.range(lane.proto.open(array, offset, length), request);
      RequestChecks.check(request);
      lane.gate.pass(request);
      answer(request);
    } catch (StoreException e) {
      isRefused = true;
      Refusals.fail(stream, e);
    }
  }

  private void answer(RangeRequest request) {
    RangeResult result = lane.rangeResult;
    lane.reader.enter();
    try {
      View view = lane.keyspace.view();
      long inRange = keys(view, request);
      if (inRange > lane.longReads.portion().keys()) {
        asked = AskedKeys.of(request);
        frame.revision = view.revision();
        frame.count = inRange;
        begin(view, request, inRange);
      } else {
        lane.countShortRequest();
        lane.ranges.execute(view, request, result);
        bytes = lane.codec.keyValuesBytes(result);
        keys = request.countOnly ? result.count : result.records.size();
        if (bytes > LARGE_BYTES) {
          asked = AskedKeys.of(request);
          beginWith(RangeReader.resolve(view, request), request, result);
        } else {
          lane.codec.range(lane.out.clear(), result);
        }
      }
    } finally {
      lane.reader.leave();
    }
    if (source == null) {
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
            && RangeOrder.most(request) > lane.longReads.portion().keys();
    if (!mayBeLong) {
      return 0;
    }
    long at = RangeReader.resolve(view, request);
    return lane.rangeReader.count(view, request.range(), at);
  }

  private void begin(View view, RangeRequest request, long keys) {
    long at = RangeReader.resolve(view, request);
    boolean inKeyOrder = request.isInOrderOfKeys();
    long most = inKeyOrder ? PinnedRange.most(request) : RangeOrder.most(request);
    if (!inKeyOrder) {
      take(PinnedSlots.BYTES_PER_KEY * Math.min(keys, most));
    }
    range = new PinnedRange(lane, pins, stream, request, most, at, this::stalled);
    if (inKeyOrder) {
      source = range;
    } else {
      slots = new PinnedSlots(lane, pins, stream, request, at, this::stalled);
      source = slots;
      phase = Phase.COLLECT;
    }
  }

  /** Goes on with what was found at once. */
  private void beginWith(long at, RangeRequest request, RangeResult result) {
    take((long) PinnedSlots.BYTES_PER_KEY * result.records.size());
    frame.revision = result.revision;
    frame.count = result.count;
    frame.more = result.more;
    slots = new PinnedSlots(lane, pins, stream, request, at, this::stalled);
    slots.collect(result.records);
    slots.collected(true);
    source = slots;
    measured();
  }

  private void take(long needed) {
    lane.answers.take(needed);
    taken = needed;
  }

  @Override
  public void writable() {
    lane.longReads.wake(this);
  }

  @Override
  protected boolean canGoOn() {
    return source != null
        && source.isPinned()
        && stream.isOpen()
        && (phase != Phase.SEND || stream.isWritable());
  }

  @Override
  protected void goOn() {
    switch (phase) {
      case COLLECT -> collect();
      case ORDER -> putInOrder();
      case MEASURE -> measurePiece();
      case SEND -> sendPiece();
    }
  }

  private void collect() {
    lane.reader.enter();
    try {
      boolean last = range.readPiece(lane.longReads.portion().keys(), Long.MAX_VALUE);
      slots.collect(range.piece().records);
      if (last) {
        range.unpin();
        slots.collected(false);
        ordered();
      }
    } finally {
      lane.reader.leave();
    }
  }

  private void putInOrder() {
    lane.reader.enter();
    try {
      slots.putInOrder(lane.longReads.portion().keys());
    } finally {
      lane.reader.leave();
    }
    ordered();
  }

  private void ordered() {
    if (slots.isInOrder()) {
      frame.more = slots.hasMore();
      phase = Phase.MEASURE;
    } else {
      phase = Phase.ORDER;
    }
  }

  private void measurePiece() {
    boolean last;
    lane.reader.enter();
    try {
      last = source.readPiece(lane.longReads.portion().keys(), Long.MAX_VALUE);
      bytes += lane.codec.keyValuesBytes(source.piece());
      keys += source.piece().records.size();
    } finally {
      lane.reader.leave();
    }
    if (last) {
      frame.more |= source.piece().more;
      measured();
    }
  }

  private void measured() {
    phase = Phase.SEND;
    ReverseWriter out = lane.out.clear();
    lane.codec.rangeEnd(out, frame);
    end = out.copy();
    lane.codec.header(out.clear(), frame.revision);
    header = out.copy();
    long all = header.length + bytes + end.length;
    if (all > MOST_BYTES) {
      closed();
      stream.fail(StoreException.RESPONSE_TOO_LARGE);
      return;
    }
    source.rewind();
    stream.begin(all);
    stream.part(header, 0, header.length);
  }

  private void sendPiece() {
    boolean last;
    ReverseWriter out = lane.out.clear();
    lane.reader.enter();
    try {
      last = source.readPiece(Integer.MAX_VALUE, lane.longReads.portion().bytes());
      lane.codec.keyValues(out, source.piece());
    } finally {
      lane.reader.leave();
    }
    stream.part(out.array(), out.start(), out.length());
    if (last) {
      closed();
      stream.part(end, 0, end.length);
      stream.finish();
    }
  }

  /** Half of a message is there, perhaps: the call can only be broken off. */
  private void stalled() {
    stream.fail(slots == null ? StoreException.COMPACTED : StoreException.SLOW_READER);
  }

  @Override
  public void ended(long nanos, int code) {
    if (answered && !isRefused && lane.slow().isSlow(nanos)) {
      long all = lane.slow().nanoTime() - beganNanos;
      long worked = asked == null ? all : Math.min(all, workedNanos());
      long waited = asked == null ? 0 : Math.min(all - worked, waitedNanos());
      lane.tellIfSlow(
          new SlowRequest(
              "KV/Range",
              asked == null ? AskedKeys.of(lane.rangeRequest) : asked,
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

  @Override
  public void closed() {
    if (range != null) {
      range.unpin();
    }
    if (slots != null) {
      slots.unpin();
    }
    if (taken > 0) {
      lane.answers.giveBack(taken);
      taken = 0;
    }
  }
}
