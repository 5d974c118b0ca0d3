// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.watch;

import io.exaplane.store.codec.ProtoReader;
import io.exaplane.store.core.KeyRange;
import io.exaplane.store.core.request.Slice;

/** etcdserverpb.WatchCreateRequest. Reusable. */
final class WatchCreateRequest {
  private static final byte[] SMALLEST_KEY = {0};
  private static final long FILTER_NO_PUT = 0;
  private static final long FILTER_NO_DELETE = 1;

  private final Slice key = new Slice();
  private final Slice rangeEnd = new Slice();
  long startRevision;
  boolean progressNotify;
  boolean prevKv;
  boolean fragment;
  boolean noPut;
  boolean noDelete;
  long watchId;

  void read(ProtoReader in) {
    key.clear();
    rangeEnd.clear();
    startRevision = 0;
    progressNotify = false;
    prevKv = false;
    fragment = false;
    noPut = false;
    noDelete = false;
    watchId = 0;
    for (int field = in.field(); field != 0; field = in.field()) {
      switch (field) {
        case 1 -> in.bytes(key);
        case 2 -> in.bytes(rangeEnd);
        case 3 -> startRevision = in.number();
        case 4 -> progressNotify = in.flag();
        case 5 -> in.numbers(this::filter);
        case 6 -> prevKv = in.flag();
        case 7 -> watchId = in.number();
        case 8 -> fragment = in.flag();
        default -> in.skip();
      }
    }
  }

  private void filter(long filter) {
    noPut |= filter == FILTER_NO_PUT;
    noDelete |= filter == FILTER_NO_DELETE;
  }

  KeyRange range() {
    return KeyRange.of(key.isEmpty() ? SMALLEST_KEY : key.copy(), rangeEnd.copy());
  }
}
