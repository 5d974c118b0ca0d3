// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

import io.exaplane.apply.manifest.Hashes;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** Digests as registries write them. Pure. */
final class Digest {
  private static final Pattern FORM = Pattern.compile("sha256:[0-9a-f]{64}");

  private Digest() {}

  static String of(byte[] bytes) {
    return of(digest(bytes));
  }

  static String of(MessageDigest ended) {
    return "sha256:" + HexFormat.of().formatHex(ended.digest());
  }

  /** Nothing else may stand in the path of a request. */
  static boolean isOne(String text) {
    return FORM.matcher(text).matches();
  }

  private static MessageDigest digest(byte[] bytes) {
    MessageDigest digest = Hashes.digest();
    digest.update(bytes);
    return digest;
  }
}
