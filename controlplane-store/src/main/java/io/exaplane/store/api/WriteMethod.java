// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

/**
 * A method whose messages the writer answers.
 *
 * @param name without its package, as {@code KV/Put}
 * @param isWrite whether it may change something
 * @param work what is to be done with a message
 */
record WriteMethod(String name, boolean isWrite, StoreWriter writer, WriteCommand.Work work) {
  /**
   * @param path as {@code /etcdserverpb.KV/Put}
   */
  static WriteMethod of(String path, StoreWriter writer, WriteCommand.Work work) {
    String name = path.substring(path.lastIndexOf('.') + 1);
    return new WriteMethod(name, Writers.isWrite(name), writer, work);
  }
}
