// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.request;

/** etcdserverpb.PutRequest. Reusable. */
public final class PutRequest {
  public final Slice key = new Slice();
  public final Slice value = new Slice();
  public long lease;
  public boolean prevKv;
  public boolean ignoreValue;
  public boolean ignoreLease;

  public void clear() {
    key.clear();
    value.clear();
    lease = 0;
    prevKv = false;
    ignoreValue = false;
    ignoreLease = false;
  }
}
