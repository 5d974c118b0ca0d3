// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What keys of clients are of: the operator's own, and those that others wrote. Pure. */
public final class ClientKeys {
  /** The algorithm of all keys that the operator makes. */
  public static final String OWN = KeyPairs.ALGORITHM;

  private static final Pattern PKCS8 =
      Pattern.compile("-----BEGIN PRIVATE KEY-----(.*?)-----END", Pattern.DOTALL);
  private static final List<String> ALGORITHMS = List.of("EC", "Ed25519", "RSA");

  private ClientKeys() {}

  /**
   * What a key is of whose PEM does not say it, which the client library takes for RSA.
   *
   * @param data the PEM in Base64, as in client-key-data; may be null
   */
  public static Optional<String> algorithm(String data) {
    if (data == null) {
      return Optional.empty();
    }
    Matcher key =
        PKCS8.matcher(new String(Base64.getMimeDecoder().decode(data), StandardCharsets.US_ASCII));
    if (!key.find()) {
      return Optional.empty();
    }
    PKCS8EncodedKeySpec spec =
        new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(key.group(1)));
    return ALGORITHMS.stream().filter(algorithm -> isOf(algorithm, spec)).findFirst();
  }

  private static boolean isOf(String algorithm, PKCS8EncodedKeySpec key) {
    try {
      KeyFactory.getInstance(algorithm).generatePrivate(key);
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
