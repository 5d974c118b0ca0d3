// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.core.KeyRange;
import io.exaplane.store.move.MoveStates;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The keys of a Kind that moves, by their prefix, which ends with a slash. Pure. */
final class MovePrefix {
  private MovePrefix() {}

  static byte[] bytes(String prefix) {
    return prefix.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Those above a key.
   *
   * @param key empty for all
   */
  static KeyRange after(String prefix, byte[] key) {
    KeyRange all = MoveStates.keys(prefix);
    return key.length == 0 ? all : KeyRange.of(Arrays.copyOf(key, key.length + 1), all.end());
  }
}
