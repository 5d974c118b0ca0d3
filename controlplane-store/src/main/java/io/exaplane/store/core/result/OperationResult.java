// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.result;

import io.exaplane.store.core.request.Operation.Kind;
import org.agrona.collections.LongArrayList;

/** What an operation of a Txn, or a single Put or DeleteRange, did. Reusable. */
public final class OperationResult {
  public final RangeResult range = new RangeResult();

  /** Addresses of the versions before, if they were asked for. */
  public final LongArrayList previous = new LongArrayList();

  public Kind kind = Kind.NONE;
  public long revision;
  public long deleted;
  private TxnResult txn;

  public void clear(Kind kind) {
    this.kind = kind;
    range.clear();
    RangeResult.clear(previous);
    revision = 0;
    deleted = 0;
  }

  public TxnResult txn() {
    if (txn == null) {
      txn = new TxnResult();
    }
    return txn;
  }
}
