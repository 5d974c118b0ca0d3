// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Fingerprints of files. Pure. */
final class Fingerprints {
  private Fingerprints() {}

  /** SHA-256 as lower-case hex. */
  static String sha256(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
