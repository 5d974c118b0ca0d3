// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal.storage;

import java.nio.ByteBuffer;
import java.util.List;

/** For a store that has no folder and keeps nothing: takes everything and holds nothing. */
public final class NoFolder implements Storage {
  private static final StoredFile NOTHING =
      new StoredFile() {
        @Override
        public long size() {
          return 0;
        }

        @Override
        public void read(long position, ByteBuffer into) {}

        @Override
        public void write(long position, ByteBuffer from) {}

        @Override
        public void force() {}

        @Override
        public void close() {}
      };

  @Override
  public List<String> list() {
    return List.of();
  }

  @Override
  public StoredFile create(String name, long bytes) {
    return NOTHING;
  }

  @Override
  public StoredFile open(String name) {
    return NOTHING;
  }

  @Override
  public void rename(String from, String to) {}

  @Override
  public void delete(String name) {}

  @Override
  public void close() {}
}
