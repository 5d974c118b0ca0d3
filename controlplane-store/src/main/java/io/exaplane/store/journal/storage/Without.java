// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal.storage;

import java.io.IOException;
import java.util.List;
import java.util.Set;

/**
 * A folder as if some of its files were not there.
 *
 * @param hidden names of these files
 */
public record Without(Storage folder, Set<String> hidden) implements Storage {
  @Override
  public List<String> list() throws IOException {
    return folder.list().stream().filter(name -> !hidden.contains(name)).toList();
  }

  @Override
  public StoredFile create(String name, long bytes) throws IOException {
    return folder.create(name, bytes);
  }

  @Override
  public StoredFile open(String name) throws IOException {
    return folder.open(name);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    folder.rename(from, to);
  }

  @Override
  public void delete(String name) throws IOException {
    folder.delete(name);
  }

  @Override
  public void close() throws IOException {
    folder.close();
  }
}
