// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.console;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Puts a token into a cookie that only operators can open, by AES-GCM. Layout: 12 bytes of nonce,
 * then, sealed, 8 bytes of the time in seconds at which it ends, and the token. Immutable and
 * thread-safe.
 */
final class Seal {
  static final int KEY_BYTES = 32;

  /** How long somebody stays signed in; a token that ends sooner ends the session sooner. */
  static final Duration SESSION = Duration.ofHours(8);

  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final SecretKeySpec key;

  Seal(byte[] key) {
    this.key = new SecretKeySpec(key, "AES");
  }

  /** The key of a new installation. */
  static byte[] newKey() {
    byte[] key = new byte[KEY_BYTES];
    RANDOM.nextBytes(key);
    return key;
  }

  String close(String token, Instant now) {
    byte[] text = token.getBytes(StandardCharsets.UTF_8);
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    byte[] open =
        ByteBuffer.allocate(Long.BYTES + text.length)
            .putLong(now.plus(SESSION).getEpochSecond())
            .put(text)
            .array();
    try {
      byte[] sealed = cipher(Cipher.ENCRYPT_MODE, nonce).doFinal(open);
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(
              ByteBuffer.allocate(nonce.length + sealed.length).put(nonce).put(sealed).array());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("each Java has AES-GCM", e);
    }
  }

  /** The token; nothing if the cookie is of another key, was changed, or is over. */
  Optional<String> open(String cookie, Instant now) {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(cookie);
      if (bytes.length <= NONCE_BYTES) {
        return Optional.empty();
      }
      byte[] nonce = Arrays.copyOf(bytes, NONCE_BYTES);
      ByteBuffer open =
          ByteBuffer.wrap(
              cipher(Cipher.DECRYPT_MODE, nonce)
                  .doFinal(bytes, NONCE_BYTES, bytes.length - NONCE_BYTES));
      boolean isOver = !now.isBefore(Instant.ofEpochSecond(open.getLong()));
      return isOver
          ? Optional.empty()
          : Optional.of(StandardCharsets.UTF_8.decode(open).toString());
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      // Of another key, or of nobody: as if there were no cookie.
      return Optional.empty();
    }
  }

  private Cipher cipher(int mode, byte[] nonce) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    return cipher;
  }
}
