// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The folder of a store's files, as far as a journal needs one. Tests put their own in its place.
 */
public interface Storage extends AutoCloseable {
  /** Names of the files, in order. */
  List<String> list() throws IOException;

  /** Makes a file of zeroes; it is durable with its name when this returns. */
  StoredFile create(String name, long bytes) throws IOException;

  /** Opens a file that is there. */
  StoredFile open(String name) throws IOException;

  /** Gives a durable file another name, in the place of the one that has it; durable on return. */
  void rename(String from, String to) throws IOException;

  void delete(String name) throws IOException;

  @Override
  void close() throws IOException;

  /** A file. Used by one thread. */
  interface StoredFile extends AutoCloseable {
    long size() throws IOException;

    /** Reads as many bytes as there are from the position on, up to the buffer's limit. */
    void read(long position, ByteBuffer into) throws IOException;

    /** Writes all of the buffer. */
    void write(long position, ByteBuffer from) throws IOException;

    /** Makes durable what was written. */
    void force() throws IOException;

    @Override
    void close() throws IOException;
  }
}
