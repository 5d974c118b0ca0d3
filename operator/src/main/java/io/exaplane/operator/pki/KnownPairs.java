// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Pairs that were found to belong together: the halves of a key, or a CA's key and a certificate
 * that it signed. To find that out takes the mathematics of signatures, and each look at a control
 * plane asks for twenty pairs of both kinds. Of each only a hash of both halves is kept, about 200
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

  /** The key of a pair, of the encoded forms of its halves. */
  static String key(byte[] one, byte[] other) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(one);
      return HexFormat.of().formatHex(digest.digest(other));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  synchronized boolean contains(String pair) {
    return known.get(pair) != null;
  }

  synchronized void add(String pair) {
    known.put(pair, true);
  }
}
