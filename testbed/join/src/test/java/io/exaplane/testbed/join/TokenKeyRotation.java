// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * A rotation of the key that signs tokens of service accounts, as the operator does it: each step
 * is a restart of the kube-apiservers in turn. One thread.
 */
final class TokenKeyRotation {
  private final Cluster cluster;
  private final String publicPem;
  private final String privatePem;

  TokenKeyRotation(Cluster cluster) throws Exception {
    this.cluster = cluster;
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    KeyPair keys = generator.generateKeyPair();
    publicPem = pem("PUBLIC KEY", keys.getPublic().getEncoded());
    privatePem = pem("PRIVATE KEY", keys.getPrivate().getEncoded());
  }

  private static String pem(String type, byte[] encoded) {
    return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n"
        .formatted(type, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded));
  }

  /** Every kube-apiserver verifies with both keys, and then the new one signs. */
  void prepare() throws Exception {
    String both = cluster.tokenKey(true) + publicPem;
    cluster.tokenKeys(both, cluster.tokenKey(false));
    cluster.apis().restart();
    cluster.tokenKeys(both, privatePem);
    cluster.apis().restart();
  }

  /** The old key is gone. */
  void complete() throws Exception {
    cluster.tokenKeys(publicPem, privatePem);
    cluster.apis().restart();
  }

  /** The API's answer to a token. */
  String api(String token) throws Exception {
    return Shell.run(
            List.of(
                "curl",
                "-q",
                "--silent",
                "--show-error",
                "--globoff",
                "--noproxy",
                "*",
                "--max-time",
                "20",
                "--insecure",
                "--header",
                "Authorization: Bearer " + token,
                "--output",
                "/dev/null",
                "--write-out",
                "%{http_code}",
                cluster.server() + "/api"),
            Map.of())
        .text();
  }
}
