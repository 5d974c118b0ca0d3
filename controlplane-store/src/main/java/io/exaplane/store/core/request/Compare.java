// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.request;

/** etcdserverpb.Compare. Reusable; numbers are as on the wire. */
public final class Compare {
  public static final int EQUAL = 0;
  public static final int GREATER = 1;
  public static final int LESS = 2;
  public static final int NOT_EQUAL = 3;
  public static final int VERSION = 0;
  public static final int CREATE = 1;
  public static final int MOD = 2;
  public static final int VALUE = 3;
  public static final int LEASE = 4;

  public final Slice key = new Slice();
  public final Slice rangeEnd = new Slice();
  public final Slice value = new Slice();
  public int result;
  public int target;

  /** What {@link #number} or {@link #value} is; -1 if neither was given. */
  public int given;

  public long number;

  public void clear() {
    key.clear();
    rangeEnd.clear();
    value.clear();
    result = EQUAL;
    target = VERSION;
    given = -1;
    number = 0;
  }
}
