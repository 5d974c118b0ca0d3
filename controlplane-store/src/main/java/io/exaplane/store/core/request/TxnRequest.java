// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.request;

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
}
