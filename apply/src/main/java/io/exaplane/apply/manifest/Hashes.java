// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.manifest;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Hashes of 64 bits: the first eight bytes of SHA-256. Zero stands for "none" elsewhere. */
public final class Hashes {
  private Hashes() {}

  /**
   * A digest to feed.
   *
   * @return SHA-256, which each JDK has
   */
  public static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JDK lacks SHA-256; use another JDK", e);
    }
  }

  /**
   * Ends a digest.
   *
   * @param digest what was fed
   * @return the first 64 bits, never zero
   */
  public static long end(MessageDigest digest) {
    byte[] all = digest.digest();
    long hash = 0;
    for (int at = 0; at < Long.BYTES; at++) {
      hash = hash << 8 | all[at] & 0xff;
    }
    return hash == 0 ? 1 : hash;
  }

  /**
   * The hash of bytes.
   *
   * @param bytes what to hash
   * @return 64 bits, never zero
   */
  public static long of(byte[] bytes) {
    MessageDigest digest = digest();
    digest.update(bytes);
    return end(digest);
  }
}
