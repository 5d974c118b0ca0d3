// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.codec.RequestCodec;
import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.KeyRange;
import io.exaplane.store.core.RangeReader;
import io.exaplane.store.core.RevisionPins;
import io.exaplane.store.core.View;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.memory.Records;
import io.exaplane.store.core.request.RangeRequest;
import io.exaplane.store.core.request.RequestChecks;
import io.exaplane.store.core.result.RangeResult;
import io.exaplane.store.wire.GrpcListener;
import io.exaplane.store.wire.GrpcStream;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * One call of etcdserverpb.KV/RangeStream (KEP-5966): the answer to a Range in pieces, all at the
 * revision at which it began; header, count and more come with the last one. A piece is made when
 * the client has taken the ones before, so that a large answer takes little memory.
 */
final class RangeStreamCall implements GrpcListener {
  private static final int FIRST_PIECE_KEYS = 10;
  private static final int PIECE_BYTES = 1 << 20;
  private static final long STALLED_S = 60;

  private final GrpcStream stream;
  private final Lane lane;
  private final RevisionPins pins;
  private final RangeRequest request = new RangeRequest();
  private final RangeResult piece = new RangeResult();
  private KeyRange range;
  private boolean pinned;
  private boolean progressed;
  private Future<?> watchdog;
  private long revision;
  private long count;
  private long left;
  private boolean first = true;

  RangeStreamCall(GrpcStream stream, Lane lane, RevisionPins pins) {
    this.stream = stream;
    this.lane = lane;
    this.pins = pins;
  }

  @Override
  public void message(byte[] array, int offset, int length) {
    if (range != null) {
      return;
    }
    try {
      RequestCodec.range(lane.proto.open(array, offset, length), request);
      RequestChecks.checkStream(request);
      begin();
    } catch (StoreException e) {
      stream.fail(e);
    }
  }

  private void begin() {
    lane.reader.enter();
    try {
      View view = lane.keyspace.view();
      long at = RangeReader.resolve(view, request.revision);
      range = request.range();
      count = lane.rangeReader.count(view, range, at);
      revision = view.revision();
      request.revision = at;
      left = request.countOnly ? 0 : request.limit > 0 ? request.limit : Long.MAX_VALUE;
      pins.pin(at);
      pinned = true;
      watchdog =
          stream
              .loop()
              .scheduleAtFixedRate(this::giveUpIfStalled, STALLED_S, STALLED_S, TimeUnit.SECONDS);
    } finally {
      lane.reader.leave();
    }
    sendPieces();
  }

  private void sendPieces() {
    while (pinned && stream.isOpen() && stream.isWritable()) {
      progressed = true;
      lane.reader.enter();
      boolean last;
      try {
        last = readPiece();
        encode(last);
      } finally {
        lane.reader.leave();
      }
      if (last) {
        unpin();
        stream.reply(lane.out.array(), lane.out.start(), lane.out.length());
      } else {
        stream.send(lane.out.array(), lane.out.start(), lane.out.length());
      }
    }
  }

  /** Reads the next piece and says whether it is the last one. */
  private boolean readPiece() {
    piece.clear();
    piece.keysOnly = request.keysOnly;
    if (left == 0 || range.isEmpty()) {
      piece.more = left == 0 && !request.countOnly && count > 0;
      return true;
    }
    RangeReader reader = lane.rangeReader;
    reader.open(lane.keyspace.view(), range, request.revision);
    long bytes = 0;
    int mostKeys = first ? FIRST_PIECE_KEYS : Integer.MAX_VALUE;
    first = false;
    long record = reader.next();
    while (record != 0 && left > 0 && bytes < PIECE_BYTES && piece.records.size() < mostKeys) {
      piece.records.addLong(record);
      bytes += Records.keyValueBytes(lane.keyspace.memory(), record);
      left--;
      record = reader.next();
    }
    reader.close();
    if (record == 0 || left == 0) {
      piece.more = record != 0;
      return true;
    }
    byte[] key = Records.copyKey(lane.keyspace.memory(), record);
    range = KeyRange.of(key, range.end() == null ? new byte[1] : range.end());
    return false;
  }

  private void encode(boolean last) {
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
  public void writable() {
    if (pinned) {
      sendPieces();
    }
  }

  /** The call is closed when the answer has gone, or when the client left. */
  @Override
  public void closed() {
    unpin();
  }

  private void unpin() {
    if (pinned) {
      pinned = false;
      watchdog.cancel(false);
      pins.unpin(request.revision);
    }
  }

  /** A client that takes nothing must not hold up what others compacted. */
  private void giveUpIfStalled() {
    if (!progressed && request.revision < lane.keyspace.view().compactedRevision()) {
      unpin();
      stream.fail(StoreException.COMPACTED);
    }
    progressed = false;
  }
}
