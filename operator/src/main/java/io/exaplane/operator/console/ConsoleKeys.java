// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.console;

import io.exaplane.operator.pki.CertificateAuthority;
import io.exaplane.operator.pki.KeyAndCertificate;
import io.exaplane.operator.pki.Leaf;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * What all operators of an installation share, so that a login counts with each of them and one CA
 * vouches for all: the key of cookies and the CA. Both are in a Secret that the first operator
 * makes; the API server decides who is first. Immutable.
 *
 * @param seal seals the cookies
 * @param ca issues the certificate of each operator's port
 */
record ConsoleKeys(Seal seal, CertificateAuthority ca) {
  static final String SECRET = "exaplane-console";
  static final String SERVICE = "exaplane-operator-console";
  private static final String SEAL_KEY = "seal.key";
  private static final String CA_KEY = "ca.key";
  private static final String CA_CERTIFICATE = "ca.crt";
  private static final Duration VALIDITY = Duration.ofDays(30);

  /**
   * Reads the Secret, or makes it.
   *
   * @throws IllegalStateException if the Secret is not one of ours, with the next action
   * @throws KubernetesClientException if the API server refuses or does not answer
   */
  static ConsoleKeys of(KubernetesClient client, String namespace, Clock clock) {
    Secret there = client.secrets().inNamespace(namespace).withName(SECRET).get();
    return parse(there == null ? make(client, namespace, clock) : there, clock);
  }

  private static Secret make(KubernetesClient client, String namespace, Clock clock) {
    try {
      return client.resource(fresh(namespace, clock)).create();
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw e;
      }
      // Another operator was first.
      return client.secrets().inNamespace(namespace).withName(SECRET).get();
    }
  }

  /** A Secret with new keys. */
  static Secret fresh(String namespace, Clock clock) {
    KeyAndCertificate ca = CertificateAuthority.create("exaplane-console", clock);
    return new SecretBuilder()
        .withNewMetadata()
        .withName(SECRET)
        .withNamespace(namespace)
        .addToLabels("app.kubernetes.io/managed-by", "exaplane")
        .endMetadata()
        .withData(
            Map.of(
                SEAL_KEY, Base64.getEncoder().encodeToString(Seal.newKey()),
                CA_KEY, encode(ca.keyPem()),
                CA_CERTIFICATE, encode(ca.certificatePem())))
        .build();
  }

  private static String encode(String pem) {
    return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
  }

  /** From the Secret. */
  static ConsoleKeys parse(Secret secret, Clock clock) {
    byte[] key = value(secret, SEAL_KEY);
    KeyAndCertificate ca =
        KeyAndCertificate.parse(value(secret, CA_CERTIFICATE), value(secret, CA_KEY))
            .filter(pair -> clock.instant().isBefore(pair.notAfter()))
            .filter(_ -> key.length == Seal.KEY_BYTES)
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "Secret %s/%s has no valid %s, %s and %s; delete the Secret and restart the operator"
                            .formatted(
                                secret.getMetadata().getNamespace(),
                                SECRET,
                                SEAL_KEY,
                                CA_KEY,
                                CA_CERTIFICATE)));
    return new ConsoleKeys(new Seal(key), new CertificateAuthority(ca, clock));
  }

  private static byte[] value(Secret secret, String key) {
    String value = secret == null || secret.getData() == null ? null : secret.getData().get(key);
    try {
      return value == null ? new byte[0] : Base64.getDecoder().decode(value);
    } catch (IllegalArgumentException e) {
      return new byte[0];
    }
  }

  /** A certificate of this operator's port, for 30 days. */
  KeyAndCertificate certificate(String namespace) {
    return ca.issue(
        Leaf.server(
            "exaplane-console",
            List.of(
                "localhost",
                "127.0.0.1",
                "::1",
                SERVICE,
                SERVICE + "." + namespace,
                SERVICE + "." + namespace + ".svc"),
            VALIDITY));
  }
}
