// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Writes kubeconfigs. Pure. */
final class Kubeconfigs {
  private Kubeconfigs() {}

  /** A kubeconfig whose certificates are files beside it, which clients read again when changed. */
  static String withFiles(String server, String folder, String ca, boolean compression) {
    return config(
        server,
        "certificate-authority: " + folder + ca + option(compression),
        "client-certificate: " + folder + "client.crt",
        "client-key: " + folder + "client.key");
  }

  /** A kubeconfig that needs nothing beside it. */
  static String embedded(
      String server, String caPem, KeyAndCertificate client, boolean compression) {
    return config(
        server,
        "certificate-authority-data: " + base64(caPem) + option(compression),
        "client-certificate-data: " + base64(client.certificatePem()),
        "client-key-data: " + base64(client.keyPem()));
  }

  /** Compression is what clients do by themselves. */
  private static String option(boolean compression) {
    return compression ? "" : "\n    disable-compression: true";
  }

  private static String config(String server, String ca, String certificate, String key) {
    return """
    apiVersion: v1
    kind: Config
    clusters:
    - name: hosted
      cluster:
        server: "%s"
        %s
    users:
    - name: hosted
      user:
        %s
        %s
    contexts:
    - name: hosted
      context:
        cluster: hosted
        user: hosted
    current-context: hosted
    """
        .formatted(server, ca, certificate, key);
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }
}
