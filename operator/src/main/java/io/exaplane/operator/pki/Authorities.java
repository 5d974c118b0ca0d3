// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import io.exaplane.operator.rotation.RotatedKey;
import io.exaplane.operator.rotation.RotationEpochs;
import io.exaplane.operator.rotation.Stage;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The long-lived keys of a control plane: three CAs and the key that signs service-account tokens.
 * They are made once, and replaced only by a rotation that a person asks for.
 *
 * @param cluster issues certificates of clients
 * @param serving issues what clients outside of the operator's reach must know: certificates of
 *     servers, and that with which kube-apiserver comes to kubelets
 * @param trusted the certificates of all CAs of the cluster that are trusted, in PEM; that of
 *     {@code serving} first, since some readers take the first one only
 * @param serviceAccountKeyPem signs tokens
 * @param serviceAccountPublicPem all that verify tokens
 * @param caKey how far the rotation of the cluster's CA is
 * @param serviceAccountKey how far that of the key of tokens is
 * @param encryptionKey how far that of the key of encryption is; empty if there never was one
 */
public record Authorities(
    CertificateAuthority cluster,
    CertificateAuthority serving,
    String trusted,
    CertificateAuthority frontProxy,
    CertificateAuthority store,
    String serviceAccountKeyPem,
    String serviceAccountPublicPem,
    RotatedKey caKey,
    RotatedKey serviceAccountKey,
    Optional<RotatedKey> encryptionKey) {

  /** Without encryption. */
  public Authorities(
      CertificateAuthority cluster,
      CertificateAuthority serving,
      String trusted,
      CertificateAuthority frontProxy,
      CertificateAuthority store,
      String serviceAccountKeyPem,
      String serviceAccountPublicPem,
      RotatedKey caKey,
      RotatedKey serviceAccountKey) {
    this(
        cluster,
        serving,
        trusted,
        frontProxy,
        store,
        serviceAccountKeyPem,
        serviceAccountPublicPem,
        caKey,
        serviceAccountKey,
        Optional.empty());
  }

  /** Files of a CA's Secret. */
  public static final String CERTIFICATE_FILE = "tls.crt";

  public static final String KEY_FILE = "tls.key";
  public static final String SERVICE_ACCOUNT_KEY_FILE = "sa.key";
  public static final String SERVICE_ACCOUNT_PUBLIC_FILE = "sa.pub";

  static final List<String> CA_FILES = List.of(CERTIFICATE_FILE, KEY_FILE);
  static final List<String> SERVICE_ACCOUNT_FILES =
      List.of(SERVICE_ACCOUNT_KEY_FILE, SERVICE_ACCOUNT_PUBLIC_FILE);

  /** Of keys that are not rotated. */
  public Authorities(
      CertificateAuthority cluster,
      CertificateAuthority frontProxy,
      CertificateAuthority store,
      String serviceAccountKeyPem,
      String serviceAccountPublicPem) {
    this(
        cluster,
        cluster,
        cluster.ca().certificatePem(),
        frontProxy,
        store,
        serviceAccountKeyPem,
        serviceAccountPublicPem,
        new RotatedKey(Stage.SINGLE, 0, Instant.EPOCH, Map.of(), Map.of()),
        new RotatedKey(Stage.SINGLE, 0, Instant.EPOCH, Map.of(), Map.of()));
  }

  /**
   * Of keys as their Secrets have them.
   *
   * @return empty when a CA cannot be read, or a key is missing
   */
  static Optional<Authorities> of(
      RotatedKey ca,
      Optional<CertificateAuthority> frontProxy,
      Optional<CertificateAuthority> store,
      RotatedKey serviceAccount,
      Optional<RotatedKey> encryption,
      Clock clock) {
    Optional<CertificateAuthority> cluster = authority(ca.current(), clock);
    Optional<CertificateAuthority> serving = authority(ca.served(), clock);
    List<Optional<CertificateAuthority>> trusted =
        ca.trusted().stream().map(files -> authority(files, clock)).toList();
    if (cluster.isEmpty()
        || serving.isEmpty()
        || trusted.stream().anyMatch(Optional::isEmpty)
        || frontProxy.isEmpty()
        || store.isEmpty()
        || !serviceAccount.current().keySet().containsAll(SERVICE_ACCOUNT_FILES)) {
      return Optional.empty();
    }
    return Optional.of(
        new Authorities(
            cluster.get(),
            serving.get(),
            trusted.stream()
                .map(authority -> authority.orElseThrow().ca().certificatePem())
                .collect(Collectors.joining()),
            frontProxy.get(),
            store.get(),
            serviceAccount.current().get(SERVICE_ACCOUNT_KEY_FILE),
            verifying(serviceAccount),
            ca,
            serviceAccount,
            encryption));
  }

  /** One key as its file has it, or both in one file. */
  private static String verifying(RotatedKey serviceAccount) {
    return serviceAccount.other().isEmpty()
        ? serviceAccount.current().get(SERVICE_ACCOUNT_PUBLIC_FILE)
        : serviceAccount.trusted().stream()
            .map(files -> files.get(SERVICE_ACCOUNT_PUBLIC_FILE).strip() + "\n")
            .collect(Collectors.joining());
  }

  /** What pods carry to be replaced when one of these keys makes a step. */
  public RotationEpochs epochs() {
    return RotationEpochs.of(caKey, serviceAccountKey)
        .encrypting(
            encryptionKey.map(RotatedKey::step).orElse(0),
            encryptionKey.flatMap(EncryptionConfiguration::file));
  }

  /** The CA beside the one that is used, if there is one. */
  static Optional<KeyAndCertificate> otherOf(RotatedKey ca) {
    return KeyAndCertificate.parse(
        bytes(ca.other(), CERTIFICATE_FILE), bytes(ca.other(), KEY_FILE));
  }

  private static Optional<CertificateAuthority> authority(Map<String, String> files, Clock clock) {
    return KeyAndCertificate.parse(bytes(files, CERTIFICATE_FILE), bytes(files, KEY_FILE))
        .map(ca -> new CertificateAuthority(ca, clock));
  }

  private static byte[] bytes(Map<String, String> files, String name) {
    String text = files.get(name);
    return text == null ? null : text.getBytes(StandardCharsets.US_ASCII);
  }

  /** The files of a new CA. */
  static Map<String, String> newAuthority(String commonName, Clock clock) {
    KeyAndCertificate ca = CertificateAuthority.create(commonName, clock);
    Map<String, String> files = new LinkedHashMap<>();
    files.put(CERTIFICATE_FILE, ca.certificatePem());
    files.put(KEY_FILE, ca.keyPem());
    return files;
  }

  /** The files of a new key that signs service-account tokens. */
  static Map<String, String> newServiceAccountKey() {
    KeyPair pair = KeyPairs.generate();
    Map<String, String> files = new LinkedHashMap<>();
    files.put(SERVICE_ACCOUNT_KEY_FILE, KeyAndCertificate.keyPem(pair.getPrivate()));
    files.put(SERVICE_ACCOUNT_PUBLIC_FILE, KeyAndCertificate.publicPem(pair));
    return files;
  }

  /** The CA that a Secret holds; empty when the Secret holds none. */
  public static Optional<CertificateAuthority> in(Secret secret, Clock clock) {
    return read(SecretStore.files(secret), clock);
  }

  /** Reads a CA from its files; empty when they don't hold one. */
  static Optional<CertificateAuthority> read(Map<String, byte[]> files, Clock clock) {
    return KeyAndCertificate.parse(files.get(CERTIFICATE_FILE), files.get(KEY_FILE))
        .map(ca -> new CertificateAuthority(ca, clock));
  }
}
