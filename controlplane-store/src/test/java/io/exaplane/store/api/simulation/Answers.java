// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.simulation;

import io.exaplane.store.codec.ProtoReader;
import io.exaplane.store.core.error.StoreException;
import java.util.Random;

/** Takes what a store answers to one request. */
final class Answers {
  private static final int FAULT_RATE = 8;

  private final Op op;
  private final Requests.Known known;
  private final Random staleReads;
  private Answer pieces;

  /**
   * @param staleReads decides which reads show the past; null for none
   */
  Answers(Op op, Requests.Known known, Random staleReads) {
    this.op = op;
    this.known = known;
    this.staleReads = staleReads;
  }

  void take(byte[] bytes) {
    ProtoReader in = new ProtoReader().open(bytes, 0, bytes.length);
    switch (op.kind) {
      case RANGE -> range(Answer.range(in));
      case STREAM -> piece(Answer.piece(in));
      case CREATE, UPDATE, MULTI -> done(Answer.txn(in));
      case GRANT -> done(Answer.grant(in));
      default -> done(Answer.simple(in));
    }
  }

  private void range(Answer answer) {
    boolean isPlain = op.number == 0 && op.limit == 0 && op.end.equals("\0");
    if (staleReads != null && isPlain) {
      if (known.oldList != null && staleReads.nextInt(FAULT_RATE) == 0) {
        done(known.oldList);
        return;
      }
      if (known.oldList == null || staleReads.nextInt(4) == 0) {
        known.oldList = answer;
      }
    }
    done(answer);
  }

  /** Header, count and more come with the last piece. */
  private void piece(Answer piece) {
    if (pieces == null) {
      pieces = piece;
    } else {
      pieces.kvs.addAll(piece.kvs);
      pieces.revision = piece.revision;
      pieces.count = piece.count;
      pieces.more = piece.more;
    }
    if (pieces.revision > 0) {
      done(pieces);
    }
  }

  private void done(Answer answer) {
    op.answer = answer;
    known.answered(op);
  }

  void failed(StoreException e) {
    op.error = e;
    op.failedMs = known.nowMs;
  }
}
