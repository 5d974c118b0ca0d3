// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.request;

import io.exaplane.store.core.request.Operation.Kind;

/** etcdserverpb.TxnRequest. Reusable. */
public final class TxnRequest {
  public final Reusable<Compare> compares = new Reusable<>(Compare::new);
  public final Reusable<Operation> success = new Reusable<>(Operation::new);
  public final Reusable<Operation> failure = new Reusable<>(Operation::new);

  public void clear() {
    compares.clear();
    success.clear();
    failure.clear();
  }

  /** Whether nothing in it can change anything; as in etcd, a nested Txn counts as a change. */
  public boolean isReadOnly() {
    return allRanges(success) && allRanges(failure);
  }

  private static boolean allRanges(Reusable<Operation> operations) {
    for (int i = 0; i < operations.size(); i++) {
      if (operations.get(i).kind != Kind.RANGE) {
        return false;
      }
    }
    return true;
  }
}
