// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Certificate;
import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.pki.PkiResult.TakenOver;
import io.exaplane.operator.pki.SecretPlan.PlannedLeaf;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Keeps the Secrets of one control plane's certificates as they should be. A CA is made once; when
 * the Secret of one that status knows is gone or is another, nothing is issued and the result says
 * how to mend it. Made for one reconciliation and used by one thread.
 */
public final class PkiReconciler {
  private final ControlPlane controlPlane;
  private final ControlPlaneNames names;
  private final SecretStore secrets;
  private final boolean retained;
  private final Clock clock;
  private final List<Certificate> certificates = new ArrayList<>();
  private final Set<String> ready = new HashSet<>();
  private final List<String> renewed = new ArrayList<>();
  private final Map<String, String> epochs = new HashMap<>();
  private Problem problem;
  private TakenOver takenOver;

  /**
   * For the Secrets of a control plane.
   *
   * @param retained whether its long-lived keys outlive it
   */
  public PkiReconciler(
      ControlPlane controlPlane,
      KubernetesClient client,
      Function<String, Secret> cached,
      boolean retained,
      Clock clock) {
    this.retained = retained;
    this.controlPlane = controlPlane;
    this.names = new ControlPlaneNames(controlPlane);
    this.secrets = new SecretStore(client, controlPlane, names.labels(), cached);
    this.clock = clock;
  }

  /** Whether keys were ever made for it, as far as its status says. */
  public static boolean isNew(ControlPlane controlPlane) {
    return controlPlane.getStatus() == null
        || controlPlane.getStatus().certificates() == null
        || controlPlane.getStatus().certificates().isEmpty();
  }

  /** Issues nothing, and makes nothing, for this reason. */
  public void refuse(Problem reason) {
    problem = reason;
  }

  /** Makes the CAs and the service-account key, once; empty when there is a problem with one. */
  public Optional<Authorities> authorities() {
    if (problem != null) {
      return Optional.empty();
    }
    Optional<CertificateAuthority> cluster = authority(names.clusterCa(), "ca");
    Optional<CertificateAuthority> frontProxy = authority(names.frontProxyCa(), "front-proxy-ca");
    Optional<CertificateAuthority> store = authority(names.storeCa(), "store-ca");
    Map<String, byte[]> serviceAccount =
        longLived(names.serviceAccountKey(), "service-account", Authorities::newServiceAccountKey);
    checkServiceAccount(serviceAccount);
    if (problem != null || cluster.isEmpty() || frontProxy.isEmpty() || store.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Authorities(
            cluster.get(),
            frontProxy.get(),
            store.get(),
            text(serviceAccount.get(Authorities.SERVICE_ACCOUNT_KEY_FILE)),
            text(serviceAccount.get(Authorities.SERVICE_ACCOUNT_PUBLIC_FILE))));
  }

  /** The CAs and the key as they are, for looking only; empty unless all are there and whole. */
  public Optional<Authorities> existing() {
    Optional<CertificateAuthority> cluster =
        Authorities.read(secrets.cached(names.clusterCa()), clock);
    Optional<CertificateAuthority> frontProxy =
        Authorities.read(secrets.cached(names.frontProxyCa()), clock);
    Optional<CertificateAuthority> store = Authorities.read(secrets.cached(names.storeCa()), clock);
    byte[] key =
        secrets.cached(names.serviceAccountKey()).get(Authorities.SERVICE_ACCOUNT_KEY_FILE);
    byte[] publicKey =
        secrets.cached(names.serviceAccountKey()).get(Authorities.SERVICE_ACCOUNT_PUBLIC_FILE);
    if (cluster.isEmpty()
        || frontProxy.isEmpty()
        || store.isEmpty()
        || key == null
        || publicKey == null) {
      return Optional.empty();
    }
    return Optional.of(
        new Authorities(cluster.get(), frontProxy.get(), store.get(), text(key), text(publicKey)));
  }

  private Optional<CertificateAuthority> authority(String secret, String name) {
    Map<String, byte[]> files =
        longLived(
            secret,
            name,
            () ->
                Authorities.newAuthority(controlPlane.getMetadata().getName() + "-" + name, clock));
    if (files.isEmpty()) {
      return Optional.empty();
    }
    Optional<CertificateAuthority> authority = Authorities.read(files, clock);
    if (authority.isEmpty()) {
      invalid(secret, name, "holds no certificate with its key in tls.crt and tls.key");
      return authority;
    }
    KeyAndCertificate ca = authority.get().ca();
    Optional<Certificate> before = known(name).filter(k -> !k.sha256().equals(ca.sha256()));
    if (before.isPresent()) {
      invalid(
          secret,
          name,
          "holds another CA (SHA-256 %s) than this control plane was made with (%s)"
              .formatted(ca.sha256(), before.get().sha256()));
      return Optional.empty();
    }
    certificates.add(new Certificate(name, secret, ca.notAfter().toString(), null, ca.sha256()));
    return authority;
  }

  private void checkServiceAccount(Map<String, byte[]> files) {
    if (files.isEmpty()) {
      return;
    }
    String secret = names.serviceAccountKey();
    byte[] publicPem = files.get(Authorities.SERVICE_ACCOUNT_PUBLIC_FILE);
    if (publicPem == null || files.get(Authorities.SERVICE_ACCOUNT_KEY_FILE) == null) {
      invalid(secret, "service-account", "holds no key in sa.key and sa.pub");
      return;
    }
    String fingerprint = sha256(publicPem);
    if (known("service-account").filter(k -> !k.sha256().equals(fingerprint)).isPresent()) {
      invalid(secret, "service-account", "holds another key than before");
      return;
    }
    certificates.add(new Certificate("service-account", secret, null, null, fingerprint));
  }

  /** The files of a Secret that is made once; none when it is gone although status knows it. */
  private Map<String, byte[]> longLived(
      String secret, String name, java.util.function.Supplier<Map<String, String>> make) {
    // One that is not in the cache was restored by a person, was left by a control plane of this
    // name, or was made a moment ago.
    Optional<Secret> there =
        secrets
            .cachedSecret(secret)
            .filter(PkiReconciler::hasFiles)
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
          "Secret %s is missing. The operator does not replace it, since every node and token depends on this Secret. %s"
              .formatted(secret, howToRestore(secret)));
      return Map.of();
    }
    return secrets.createOnce(secret, make.get(), retained);
  }

  /** One that a person put back says nothing of itself, and is known by what it holds. */
  private boolean mayUse(Secret secret, String name) {
    return secrets.mayUse(secret) || known(name).isPresent() && Ownership.isNobodys(secret);
  }

  /** Nothing is written on it, and nothing is read from it. */
  private void ofAnother(String secret) {
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
                : "from your backup";
    return "Restore the Secret %s. Running components continue until their certificates expire."
        .formatted(source);
  }

  private void problem(Reason reason, String message) {
    if (problem == null) {
      problem = new Problem(reason, message);
    }
  }

  /** Brings one Secret of leaf certificates up to date. */
  public void ensure(SecretPlan plan) {
    Map<String, byte[]> files = secrets.cached(plan.name());
    Contents contents = contents(plan, files);
    if (!contents.matches(files)) {
      Optional<Secret> live = secrets.liveSecret(plan.name());
      if (live.filter(secret -> !secrets.mayUse(secret)).isPresent()) {
        ofAnother(plan.name());
        return;
      }
      files = live.map(SecretStore::files).orElse(Map.of());
      contents = contents(plan, files);
      boolean asItShould = contents.matches(files);
      // One of a backup holds what it should, and has no owner, so no cache ever shows it.
      if (!asItShould
          || live.filter(there -> !there.hasOwnerReferenceFor(controlPlane)).isPresent()) {
        secrets.apply(plan.name(), plan.labels(), contents.files());
      }
      if (!asItShould && !files.isEmpty()) {
        renewed.add(plan.owner());
      }
    }
    StringBuilder epoch = new StringBuilder();
    contents
        .issued()
        .forEach(
            (prefix, leaf) -> {
              certificates.add(
                  new Certificate(
                      plan.owner() + "/" + prefix,
                      plan.name(),
                      leaf.notAfter().toString(),
                      leaf.renewAfter().toString(),
                      leaf.sha256()));
              epoch.append(leaf.sha256(), 0, 8);
            });
    epochs.put(plan.name(), epoch.toString());
    ready.add(plan.name());
  }

  /** What the Secret should hold: each certificate that still serves is kept. */
  private static Contents contents(SecretPlan plan, Map<String, byte[]> existing) {
    Map<String, KeyAndCertificate> issued = new LinkedHashMap<>();
    Map<String, String> files = new TreeMap<>(plan.fixed());
    for (PlannedLeaf leaf : plan.leaves()) {
      String certificateFile = leaf.prefix() + ".crt";
      String keyFile = leaf.prefix() + ".key";
      KeyAndCertificate kept =
          KeyAndCertificate.parse(existing.get(certificateFile), existing.get(keyFile))
              .filter(old -> leaf.authority().serves(old, leaf.leaf()))
              .orElse(null);
      KeyAndCertificate current = kept == null ? leaf.authority().issue(leaf.leaf()) : kept;
      issued.put(leaf.prefix(), current);
      files.put(
          certificateFile,
          kept == null ? current.certificatePem() : text(existing.get(certificateFile)));
      files.put(keyFile, kept == null ? current.keyPem() : text(existing.get(keyFile)));
    }
    files.putAll(plan.derived().apply(issued));
    return new Contents(files, issued);
  }

  private record Contents(Map<String, String> files, Map<String, KeyAndCertificate> issued) {
    boolean matches(Map<String, byte[]> existing) {
      return existing.keySet().equals(files.keySet())
          && files.entrySet().stream()
              .allMatch(file -> file.getValue().equals(text(existing.get(file.getKey()))));
    }
  }

  /** What was found and done. */
  public PkiResult result(Optional<Authorities> authorities) {
    if (problem != null) {
      keepWhatIsKnown();
    }
    return new PkiResult(
        authorities,
        Optional.ofNullable(problem),
        List.copyOf(certificates),
        Set.copyOf(ready),
        List.copyOf(renewed),
        Map.copyOf(epochs),
        Optional.ofNullable(takenOver));
  }

  /** While something can't be issued, what was issued before goes on being true. */
  public void keepWhatIsKnown() {
    Set<String> listed = new HashSet<>();
    certificates.forEach(certificate -> listed.add(certificate.name()));
    if (controlPlane.getStatus() == null || controlPlane.getStatus().certificates() == null) {
      return;
    }
    for (Certificate certificate : controlPlane.getStatus().certificates()) {
      if (listed.add(certificate.name())) {
        certificates.add(certificate);
      }
      if (!secrets.cached(certificate.secret()).isEmpty()) {
        ready.add(certificate.secret());
      }
    }
  }

  private static String text(byte[] file) {
    return new String(file, StandardCharsets.US_ASCII);
  }

  private static String sha256(byte[] content) {
    try {
      return HexFormat.of()
          .formatHex(java.security.MessageDigest.getInstance("SHA-256").digest(content));
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
