// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.result;

import io.exaplane.store.core.request.Reusable;

/** What a Txn did. Reusable. */
public final class TxnResult {
  public final Reusable<OperationResult> responses = new Reusable<>(OperationResult::new);
  public boolean succeeded;

  /** The store's revision afterwards; 0 for a nested Txn, as in etcd. */
  public long revision;

  public void clear() {
    responses.clear();
    succeeded = false;
    revision = 0;
  }
}
