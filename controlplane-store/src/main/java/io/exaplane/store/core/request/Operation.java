// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.request;

/** etcdserverpb.RequestOp. Reusable. */
public final class Operation {
  /** Which of the requests it is. */
  public enum Kind {
    NONE,
    RANGE,
    PUT,
    DELETE_RANGE,
    TXN
  }

  public final RangeRequest range = new RangeRequest();
  public final PutRequest put = new PutRequest();
  public final DeleteRangeRequest deleteRange = new DeleteRangeRequest();
  public Kind kind = Kind.NONE;
  private TxnRequest txn;

  public void clear() {
    kind = Kind.NONE;
  }

  public TxnRequest txn() {
    if (txn == null) {
      txn = new TxnRequest();
    }
    return txn;
  }
}
