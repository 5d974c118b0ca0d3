// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Key pairs that were found to belong together: to find that out takes a signature, and each look
 * at a control plane asks for twenty pairs. Of each only a hash of both halves is kept, about 200
 * bytes, and the pairs that were not asked for longest go first. Thread-safe.
 */
final class KnownPairs {
  /** Those of two thousand control planes. */
  private static final int MOST = 40_000;

  private final Map<String, Boolean> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
          return size() > MOST;
        }
      };

  /** The key of a pair. */
  static String key(PublicKey publicKey, PrivateKey privateKey) throws GeneralSecurityException {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    digest.update(publicKey.getEncoded());
    return HexFormat.of().formatHex(digest.digest(privateKey.getEncoded()));
  }

  synchronized boolean contains(String pair) {
    return known.get(pair) != null;
  }

  synchronized void add(String pair) {
    known.put(pair, true);
  }
}
