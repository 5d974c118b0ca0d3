// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

/**
 * A method whose messages the writer answers.
 *
 * @param name without its package, as {@code KV/Put}
 * @param work what is to be done with a message
 */
record WriteMethod(String name, StoreWriter writer, WriteCommand.Work work) {
  /**
   * @param path as {@code /etcdserverpb.KV/Put}
   */
  static WriteMethod of(String path, StoreWriter writer, WriteCommand.Work work) {
    return new WriteMethod(path.substring(path.lastIndexOf('.') + 1), writer, work);
  }
}
