// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.codec;

import io.exaplane.store.core.memory.KeyValues;
import io.exaplane.store.core.memory.Records;
import io.exaplane.store.core.memory.Varint;
import io.exaplane.store.core.result.OperationResult;
import io.exaplane.store.core.result.RangeResult;
import io.exaplane.store.core.result.TxnResult;
import java.lang.foreign.MemorySegment;
import org.agrona.collections.LongArrayList;

/**
 * Encodes the responses of etcdserverpb.KV, records as they lie in memory. Immutable.
 *
 * @param clusterId shown in every header
 * @param memberId shown in every header
 */
public record ResponseCodec(MemorySegment memory, long clusterId, long memberId) {
  /** The one term of a store without elections. */
  public static final long TERM = 2;

  /** The header of a whole response, as its first field. */
  public void header(ReverseWriter out, long revision) {
    int mark = out.length();
    out.number(4, TERM);
    out.number(3, revision);
    out.number(2, memberId);
    out.number(1, clusterId);
    out.message(1, mark);
  }

  /** The header within a Txn's response, which has the revision only. */
  private static void innerHeader(ReverseWriter out, long revision) {
    int mark = out.length();
    out.number(3, revision);
    out.message(1, mark);
  }

  public void range(ReverseWriter out, RangeResult result) {
    rangeBody(out, result);
    header(out, result.revision);
  }

  /** A part of a Range's response, without its header. */
  public void rangeBody(ReverseWriter out, RangeResult result) {
    rangeEnd(out, result);
    keyValues(out, result);
  }

  /** What a Range's response has behind its keys. */
  public void rangeEnd(ReverseWriter out, RangeResult result) {
    out.number(4, result.count);
    out.flag(3, result.more);
  }

  /** Bytes of {@link #keyValues}. */
  public long keyValuesBytes(RangeResult result) {
    long bytes = 0;
    for (int i = 0; i < result.records.size(); i++) {
      long record = result.records.getLong(i);
      int length = Records.keyValueBytes(memory, record);
      if (result.keysOnly) {
        length -= KeyValues.valueFieldBytes(memory, record);
      }
      bytes += 1 + Varint.length(length) + length;
    }
    return bytes;
  }

  /** The keys of a Range's response. */
  public void keyValues(ReverseWriter out, RangeResult result) {
    for (int i = result.records.size() - 1; i >= 0; i--) {
      if (result.keysOnly) {
        out.keyValueWithoutValue(2, memory, result.records.getLong(i));
      } else {
        out.keyValue(2, memory, result.records.getLong(i));
      }
    }
  }

  public void put(ReverseWriter out, OperationResult result) {
    putBody(out, result);
    header(out, result.revision);
  }

  private void putBody(ReverseWriter out, OperationResult result) {
    if (!result.previous.isEmpty()) {
      out.keyValue(2, memory, result.previous.getLong(0));
    }
  }

  public void deleteRange(ReverseWriter out, OperationResult result) {
    deleteRangeBody(out, result);
    header(out, result.revision);
  }

  private void deleteRangeBody(ReverseWriter out, OperationResult result) {
    LongArrayList previous = result.previous;
    for (int i = previous.size() - 1; i >= 0; i--) {
      out.keyValue(3, memory, previous.getLong(i));
    }
    out.number(2, result.deleted);
  }

  public void txn(ReverseWriter out, TxnResult result) {
    txnBody(out, result);
    header(out, result.revision);
  }

  private void txnBody(ReverseWriter out, TxnResult result) {
    for (int i = result.responses.size() - 1; i >= 0; i--) {
      int mark = out.length();
      operation(out, result.responses.get(i));
      out.message(3, mark);
    }
    out.flag(2, result.succeeded);
  }

  private void operation(ReverseWriter out, OperationResult result) {
    int mark = out.length();
    switch (result.kind) {
      case RANGE -> {
        rangeBody(out, result.range);
        innerHeader(out, result.range.revision);
        out.message(1, mark);
      }
      case PUT -> {
        putBody(out, result);
        innerHeader(out, result.revision);
        out.message(2, mark);
      }
      case DELETE_RANGE -> {
        deleteRangeBody(out, result);
        innerHeader(out, result.revision);
        out.message(3, mark);
      }
      case TXN -> {
        txnBody(out, result.txn());
        innerHeader(out, 0);
        out.message(4, mark);
      }
      case NONE -> throw new IllegalStateException("an empty operation has no response");
    }
  }
}
