// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.codec;

import io.exaplane.store.core.request.Slice;

/** {@code mvccpb.KeyValue}, decoded; slices lie in what was read. Reusable; for one thread. */
public final class KeyValueReader {
  public final Slice key = new Slice();
  public final Slice value = new Slice();
  public long create;
  public long mod;
  public long version;
  public long lease;

  /** Reads the message that a reader was opened for, or has entered, to its end. */
  public void read(ProtoReader in) {
    key.clear();
    value.clear();
    create = 0;
    mod = 0;
    version = 0;
    lease = 0;
    for (int field = in.field(); field != 0; field = in.field()) {
      switch (field) {
        case 1 -> in.bytes(key);
        case 2 -> create = in.number();
        case 3 -> mod = in.number();
        case 4 -> version = in.number();
        case 5 -> in.bytes(value);
        case 6 -> lease = in.number();
        default -> in.skip();
      }
    }
  }
}
