// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Certificate;
import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.RotationSpec;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.pki.PkiResult.TakenOver;
import io.exaplane.operator.rotation.Outside;
import io.exaplane.operator.rotation.RotatedKey;
import io.exaplane.operator.rotation.Rotation;
import io.exaplane.operator.rotation.RotationStep.Look;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Longer than others: each Secret has its own way to be found, refused and mended.
 *
 * <p>The CAs, the key of tokens and that of encryption of one control plane, each in a Secret of
 * its own. A key is made once; when the Secret of one that status knows is gone or is another,
 * there is a problem that says how to mend it. Made for one reconciliation and used by one thread.
 */
final class LongLivedKeys {
  private static final String CA = "ca";
  private static final String SERVICE_ACCOUNT = "service-account";
  private static final String ENCRYPTION = "encryption";

  /** Of one rotation. A later CA has its number in its name, so that people tell issuers apart. */
  private static final int CA_STEPS = 4;

  private final ControlPlane controlPlane;
  private final ControlPlaneNames names;
  private final SecretStore secrets;
  private final boolean retained;
  private final Clock clock;
  private final List<Certificate> certificates = new ArrayList<>();
  private final List<Rotation> rotations = new ArrayList<>();
  private final List<String> steps = new ArrayList<>();
  private Problem problem;
  private TakenOver takenOver;

  /**
   * Of a control plane.
   *
   * @param retained whether they outlive it
   */
  LongLivedKeys(ControlPlane controlPlane, SecretStore secrets, boolean retained, Clock clock) {
    this.controlPlane = controlPlane;
    this.names = new ControlPlaneNames(controlPlane);
    this.secrets = secrets;
    this.retained = retained;
    this.clock = clock;
  }

  /** Why nothing can be issued from them. */
  Optional<Problem> problem() {
    return Optional.ofNullable(problem);
  }

  /** For status. */
  List<Certificate> certificates() {
    return certificates;
  }

  /** How far rotations are; empty before {@link #rotate}. */
  List<Rotation> rotations() {
    return List.copyOf(rotations);
  }

  /** Steps of rotations that were made now. */
  List<String> steps() {
    return List.copyOf(steps);
  }

  /** Whose keys they were before. */
  Optional<TakenOver> takenOver() {
    return Optional.ofNullable(takenOver);
  }

  /** Makes the CAs and the service-account key, once; empty when there is a problem with one. */
  Optional<Authorities> authorities() {
    if (problem != null) {
      return Optional.empty();
    }
    Optional<RotatedKey> encryption = encryption();
    Map<String, byte[]> cluster = authority(names.clusterCa(), CA);
    Map<String, byte[]> frontProxy = authority(names.frontProxyCa(), "front-proxy-ca");
    Map<String, byte[]> store = authority(names.storeCa(), "store-ca");
    Map<String, byte[]> serviceAccount =
        longLived(names.serviceAccountKey(), SERVICE_ACCOUNT, Authorities::newServiceAccountKey);
    checkServiceAccount(serviceAccount);
    return problem == null
        ? read(cluster, frontProxy, store, serviceAccount, encryption)
        : Optional.empty();
  }

  /** The CAs and the key as they are, for looking only; empty unless all are there and whole. */
  Optional<Authorities> existing() {
    return read(
        secrets.cached(names.clusterCa()),
        secrets.cached(names.frontProxyCa()),
        secrets.cached(names.storeCa()),
        secrets.cached(names.serviceAccountKey()),
        EncryptionKey.read(secrets.cached(names.encryptionKey())));
  }

  private Optional<Authorities> read(
      Map<String, byte[]> cluster,
      Map<String, byte[]> frontProxy,
      Map<String, byte[]> store,
      Map<String, byte[]> serviceAccount,
      Optional<RotatedKey> encryption) {
    return Authorities.of(
        RotatedKey.read(cluster, Authorities.CA_FILES),
        Authorities.read(frontProxy, clock),
        Authorities.read(store, clock),
        RotatedKey.read(serviceAccount, Authorities.SERVICE_ACCOUNT_FILES),
        encryption,
        clock);
  }

  /** The key of encryption, whether or not the spec still asks for it. */
  private Optional<RotatedKey> encryption() {
    String secret = names.encryptionKey();
    boolean isThere =
        controlPlane.getSpec().encryption() != null
            || known(ENCRYPTION).isPresent()
            || secrets.cachedSecret(secret).isPresent()
            || PkiReconciler.isNew(controlPlane) && secrets.liveSecret(secret).isPresent();
    if (!isThere) {
      return Optional.empty();
    }
    Map<String, byte[]> files = longLived(secret, ENCRYPTION, this::firstEncryption);
    if (files.isEmpty()) {
      return Optional.empty();
    }
    Optional<RotatedKey> key = EncryptionKey.read(files);
    if (key.isEmpty()) {
      invalid(secret, ENCRYPTION, "holds no key of encryption in the file " + EncryptionKey.FILE);
      return Optional.empty();
    }
    Optional<String> sha256 = EncryptionKey.fingerprint(key.get());
    Optional<Certificate> known = known(ENCRYPTION);
    if (known.isPresent()
        && !EncryptionKey.holds(key.get(), known.get().sha256())
        && !new EncryptionRotation(controlPlane).hasEnded(key.get())) {
      invalid(secret, ENCRYPTION, "holds another key than before");
      return Optional.empty();
    }
    sha256.ifPresent(sha -> certificates.add(new Certificate(ENCRYPTION, secret, null, null, sha)));
    return key;
  }

  /**
   * The key of a control plane that is made now encrypts from the first object on. Where
   * kube-apiservers may run already, one that encrypts nothing comes first: none of them may write
   * what another one cannot read.
   */
  private Map<String, String> firstEncryption() {
    boolean runs = secrets.liveSecret(names.clusterCa()).isPresent();
    return (runs ? EncryptionKey.IDENTITY : new EncryptionRotation(controlPlane).make()).files();
  }

  /**
   * Makes the next steps of rotations, after everything was issued by the keys as they are.
   *
   * @param remaining the components that do not run with the present steps yet
   * @param forgotten whether no CA but those that are trusted is listed for aggregated APIs
   * @param allowed whether anything may be changed
   * @param outside who outside of the control plane does not follow the CA
   * @param rewriting how far the objects are that the new key of encryption is to be used for
   */
  void rotate(
      Authorities keys,
      RotationSpec spec,
      List<String> remaining,
      boolean forgotten,
      boolean allowed,
      Outside outside,
      Rewriting rewriting) {
    boolean settled = allowed && remaining.isEmpty() && problem == null;
    Rotation ca =
        new Rotation(
            Rotation.CA,
            keys.caKey(),
            new Look(
                spec.ca(),
                settled,
                isRecorded(CA, keys.cluster().ca().sha256()),
                true,
                forgotten,
                outside.follows()),
            remaining,
            outside);
    Rotation serviceAccount =
        new Rotation(
            Rotation.SERVICE_ACCOUNT_KEY,
            keys.serviceAccountKey(),
            new Look(
                spec.serviceAccountKey(),
                settled,
                isRecorded(SERVICE_ACCOUNT, publicSha256(keys.serviceAccountKey().current())),
                false,
                true),
            remaining);
    rotations.addAll(List.of(ca, serviceAccount));
    KeySteps keySteps = new KeySteps(secrets, clock);
    keySteps
        .make(
            ca,
            names.clusterCa(),
            Authorities.CA_FILES,
            () -> newAuthority(CA + "-" + (keys.caKey().step() / CA_STEPS + 2)))
        .ifPresent(steps::add);
    keySteps
        .make(
            serviceAccount,
            names.serviceAccountKey(),
            Authorities.SERVICE_ACCOUNT_FILES,
            Authorities::newServiceAccountKey)
        .ifPresent(steps::add);
    keys.encryptionKey()
        .ifPresent(key -> rotate(keySteps, key, spec, settled, remaining, rewriting));
  }

  private void rotate(
      KeySteps keySteps,
      RotatedKey key,
      RotationSpec spec,
      boolean settled,
      List<String> remaining,
      Rewriting rewriting) {
    EncryptionRotation encryption = new EncryptionRotation(controlPlane);
    Rotation rotation =
        encryption.of(
            key,
            spec.encryptionKey(),
            settled,
            sha256 -> isRecorded(ENCRYPTION, sha256),
            remaining,
            rewriting);
    rotations.add(rotation);
    if (EncryptionRotation.isStill(rotation, rewriting)) {
      keySteps
          .make(
              rotation, names.encryptionKey(), EncryptionKey.FILES, () -> encryption.make().files())
          .ifPresent(steps::add);
    }
  }

  private boolean isRecorded(String name, String sha256) {
    return known(name).filter(certificate -> certificate.sha256().equals(sha256)).isPresent();
  }

  private static String publicSha256(Map<String, String> key) {
    return Fingerprints.sha256(
        key.get(Authorities.SERVICE_ACCOUNT_PUBLIC_FILE).getBytes(StandardCharsets.US_ASCII));
  }

  private Map<String, String> newAuthority(String name) {
    return Authorities.newAuthority(controlPlane.getMetadata().getName() + "-" + name, clock);
  }

  private Map<String, byte[]> authority(String secret, String name) {
    Map<String, byte[]> files = longLived(secret, name, () -> newAuthority(name));
    if (files.isEmpty()) {
      return files;
    }
    Optional<CertificateAuthority> authority = Authorities.read(files, clock);
    if (authority.isEmpty()) {
      invalid(secret, name, "holds no certificate with its key in tls.crt and tls.key");
      return Map.of();
    }
    KeyAndCertificate ca = authority.get().ca();
    Optional<Certificate> before =
        known(name)
            .filter(k -> !k.sha256().equals(ca.sha256()))
            .filter(k -> !k.sha256().equals(otherSha256(files)));
    if (before.isPresent()) {
      invalid(
          secret,
          name,
          "holds another CA (SHA-256 %s) than this control plane was made with (%s)"
              .formatted(ca.sha256(), before.get().sha256()));
      return Map.of();
    }
    certificates.add(new Certificate(name, secret, ca.notAfter().toString(), null, ca.sha256()));
    return files;
  }

  /** Of the CA beside the one that is used: status may know it from before the last step. */
  private static String otherSha256(Map<String, byte[]> files) {
    return Authorities.otherOf(RotatedKey.read(files, Authorities.CA_FILES))
        .map(KeyAndCertificate::sha256)
        .orElse("");
  }

  private void checkServiceAccount(Map<String, byte[]> files) {
    if (files.isEmpty()) {
      return;
    }
    String secret = names.serviceAccountKey();
    RotatedKey key = RotatedKey.read(files, Authorities.SERVICE_ACCOUNT_FILES);
    if (!key.current().keySet().containsAll(Authorities.SERVICE_ACCOUNT_FILES)) {
      invalid(secret, SERVICE_ACCOUNT, "holds no key in sa.key and sa.pub");
      return;
    }
    Optional<Certificate> known = known(SERVICE_ACCOUNT);
    if (known.isPresent()
        && key.trusted().stream()
            .noneMatch(one -> publicSha256(one).equals(known.get().sha256()))) {
      invalid(secret, SERVICE_ACCOUNT, "holds another key than before");
      return;
    }
    certificates.add(
        new Certificate(SERVICE_ACCOUNT, secret, null, null, publicSha256(key.current())));
  }

  /** The files of a Secret that is made once; none when it is gone although status knows it. */
  private Map<String, byte[]> longLived(
      String secret, String name, java.util.function.Supplier<Map<String, String>> make) {
    // One that is not in the cache was restored by a person, was left by a control plane of this
    // name, or was made a moment ago.
    Optional<Secret> there =
        secrets
            .cachedSecret(secret)
            .filter(LongLivedKeys::hasFiles)
            .or(() -> secrets.liveSecret(secret));
    if (there.isPresent() && !mayUse(there.get(), name)) {
      ofAnother(secret);
      return Map.of();
    }
    if (there.isPresent() && !hasFiles(there.get())) {
      empty(secret, name);
      return Map.of();
    }
    if (there.isPresent()) {
      secrets.tie(there.get(), retained);
      note(there.get());
      return SecretStore.files(there.get());
    }
    Optional<Certificate> known = known(name);
    if (known.isPresent()) {
      certificates.add(known.get());
      problem(
          Reason.CASecretMissing,
          "Secret %s is missing. The operator does not replace it, since %s depends on this Secret. %s"
              .formatted(
                  secret,
                  name.equals(ENCRYPTION)
                      ? "every encrypted object of the stores"
                      : "every node and token",
                  howToRestore(secret)));
      return Map.of();
    }
    return secrets.createOnce(secret, make.get(), retained);
  }

  /** One that a person put back says nothing of itself, and is known by what it holds. */
  private boolean mayUse(Secret secret, String name) {
    return secrets.mayUse(secret) || known(name).isPresent() && Ownership.isNobodys(secret);
  }

  /** Nothing is written on it, and nothing is read from it. */
  void ofAnother(String secret) {
    String owner = controlPlane.getMetadata().getName();
    problem(
        Reason.SecretOfAnother,
        "Secret %1$s exists and does not belong to this ControlPlane. The operator changed nothing. Delete the Secret, or give the ControlPlane another name. If the Secret is from a backup of this ControlPlane, run 'kubectl label secret %1$s %2$s %3$s=%4$s'."
            .formatted(
                secret, Names.MANAGED_BY_SELECTOR, ControlPlaneNames.CONTROL_PLANE_LABEL, owner));
  }

  private static boolean hasFiles(Secret secret) {
    return secret.getData() != null && !secret.getData().isEmpty();
  }

  private void note(Secret secret) {
    Optional<String> now = Ownership.retainedFrom(secret, controlPlane);
    if (now.isPresent() || takenOver == null) {
      takenOver =
          now.or(() -> Ownership.takenOverFrom(secret))
              .map(uid -> new TakenOver(uid, now.isPresent()))
              .orElse(takenOver);
    }
  }

  private Optional<Certificate> known(String name) {
    return controlPlane.getStatus() == null || controlPlane.getStatus().certificates() == null
        ? Optional.empty()
        : controlPlane.getStatus().certificates().stream()
            .filter(certificate -> certificate.name().equals(name))
            .findFirst();
  }

  private void invalid(String secret, String name, String what) {
    known(name).ifPresent(certificates::add);
    problem(
        Reason.CASecretInvalid,
        "Secret %s %s, so the operator issues nothing from it. %s"
            .formatted(secret, what, howToRestore(secret)));
  }

  /** One that holds nothing is in the way of the one that the operator would make. */
  private void empty(String secret, String name) {
    if (known(name).isPresent()) {
      invalid(secret, name, "is empty");
      return;
    }
    problem(
        Reason.CASecretInvalid,
        "Secret %s exists and is empty, so the operator issues nothing. Delete the Secret: 'kubectl -n %s delete secret %s'. The operator then creates the Secret. If a backup has the Secret, restore the files instead."
            .formatted(secret, controlPlane.getMetadata().getNamespace(), secret));
  }

  private String howToRestore(String secret) {
    String source =
        secret.equals(names.clusterCa())
            ? "from your backup, or with 'kubectl create secret tls' from ca.crt and ca.key of Secret "
                + names.componentSecret(ControlPlaneNames.CONTROLLER_MANAGER)
            : secret.equals(names.serviceAccountKey())
                ? "from your backup, or from sa.key and sa.pub of Secret "
                    + names.componentSecret(ControlPlaneNames.API_SERVER)
                : secret.equals(names.encryptionKey())
                    ? "from your backup, since the encrypted objects cannot be read without the key"
                    : "from your backup";
    return "Restore the Secret %s. Running components continue until their certificates expire."
        .formatted(source);
  }

  private void problem(Reason reason, String message) {
    refuse(new Problem(reason, message));
  }

  /** Issues nothing from now on, for this reason, unless there is one already. */
  void refuse(Problem reason) {
    if (problem == null) {
      problem = reason;
    }
  }
}
