// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.request;

import io.exaplane.store.core.KeyRange;

/** etcdserverpb.DeleteRangeRequest. Reusable. */
public final class DeleteRangeRequest {
  public final Slice key = new Slice();
  public final Slice rangeEnd = new Slice();
  public boolean prevKv;

  public void clear() {
    key.clear();
    rangeEnd.clear();
    prevKv = false;
  }

  public KeyRange range() {
    return KeyRange.of(key.copy(), rangeEnd.copy());
  }
}
