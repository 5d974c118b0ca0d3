// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;

/** Makes and compares P-256 key pairs. Thread-safe. */
final class KeyPairs {
  static final String ALGORITHM = "EC";
  static final String SIGNATURE = "SHA256withECDSA";

  private static final KnownPairs KNOWN = new KnownPairs();

  private KeyPairs() {}

  static KeyPair generate() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(ALGORITHM);
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime does not support P-256", e);
    }
  }

  /** Whether what one signs the other verifies. */
  static boolean belongTogether(PublicKey publicKey, PrivateKey privateKey) {
    try {
      String pair = KnownPairs.key(publicKey.getEncoded(), privateKey.getEncoded());
      if (KNOWN.contains(pair)) {
        return true;
      }
      byte[] message = {1, 2, 3};
      Signature signature = Signature.getInstance(SIGNATURE);
      signature.initSign(privateKey);
      signature.update(message);
      byte[] signed = signature.sign();
      signature.initVerify(publicKey);
      signature.update(message);
      boolean belong = signature.verify(signed);
      if (belong) {
        KNOWN.add(pair);
      }
      return belong;
    } catch (GeneralSecurityException notOurs) {
      return false;
    }
  }
}
