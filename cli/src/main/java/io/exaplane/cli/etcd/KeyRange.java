// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.etcd;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Keys that are meant, as etcd's requests name them.
 *
 * @param from the first key that may be in it
 * @param end behind the last one; empty for {@code from} alone; one zero byte for all from there on
 */
public record KeyRange(byte[] from, byte[] end) {
  private static final byte[] NO_END = {};
  private static final byte[] OPEN_END = {0};

  /** One key. */
  public static KeyRange of(String key) {
    return new KeyRange(key.getBytes(StandardCharsets.UTF_8), NO_END);
  }

  /** All keys that begin so. */
  public static KeyRange below(String prefix) {
    byte[] from = prefix.getBytes(StandardCharsets.UTF_8);
    byte[] end = from.clone();
    int last = end.length - 1;
    while (last >= 0 && end[last] == (byte) 0xff) {
      last--;
    }
    if (last < 0) {
      return new KeyRange(from.length == 0 ? OPEN_END : from, OPEN_END);
    }
    end[last]++;
    return new KeyRange(from, Arrays.copyOf(end, last + 1));
  }

  /** Every key. */
  public static KeyRange all() {
    return below("");
  }

  /** What of it lies behind a key. */
  KeyRange behind(byte[] key) {
    return new KeyRange(after(key), end);
  }

  /** What of it lies from the beginning up to a key, that one, too. */
  KeyRange upTo(byte[] key) {
    return isOne() ? this : new KeyRange(from, after(key));
  }

  boolean isOne() {
    return end.length == 0;
  }

  private static byte[] after(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }
}
