// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Certificate;
import io.exaplane.api.v1alpha1.RotationSpec;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.pki.SecretPlan.PlannedLeaf;
import io.exaplane.operator.rotation.Outside;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
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
  private final SecretStore secrets;
  private final LongLivedKeys keys;
  private final Set<String> ready = new HashSet<>();
  private final List<String> renewed = new ArrayList<>();
  private final Map<String, String> epochs = new HashMap<>();
  private Instant oldest = Instant.MIN;

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
    this.controlPlane = controlPlane;
    this.secrets =
        new SecretStore(client, controlPlane, new ControlPlaneNames(controlPlane).labels(), cached);
    this.keys = new LongLivedKeys(controlPlane, secrets, retained, clock);
  }

  /** Whether keys were ever made for it, as far as its status says. */
  public static boolean isNew(ControlPlane controlPlane) {
    return controlPlane.getStatus() == null
        || controlPlane.getStatus().certificates() == null
        || controlPlane.getStatus().certificates().isEmpty();
  }

  /** Issues nothing, and makes nothing, for this reason. */
  public void refuse(Problem reason) {
    keys.refuse(reason);
  }

  /** Makes the CAs and the service-account key, once; empty when there is a problem with one. */
  public Optional<Authorities> authorities() {
    return keys.authorities();
  }

  /** The CAs and the key as they are, for looking only; empty unless all are there and whole. */
  public Optional<Authorities> existing() {
    return keys.existing();
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
  public void rotate(
      Authorities known,
      RotationSpec spec,
      List<String> remaining,
      boolean forgotten,
      boolean allowed,
      Outside outside,
      Rewriting rewriting) {
    keys.rotate(known, spec, remaining, forgotten, allowed, outside, rewriting);
  }

  /** The same while nothing is written again. */
  public void rotate(
      Authorities known,
      RotationSpec spec,
      List<String> remaining,
      boolean forgotten,
      boolean allowed,
      Outside outside) {
    rotate(known, spec, remaining, forgotten, allowed, outside, Rewriting.NONE);
  }

  /** Leaf certificates that were issued before this moment are issued again. */
  public void issueAgain(Instant before) {
    oldest = before.truncatedTo(ChronoUnit.SECONDS);
  }

  /** Brings one Secret of leaf certificates up to date. */
  public void ensure(SecretPlan plan) {
    Map<String, byte[]> files = secrets.cached(plan.name());
    Contents contents = contents(plan, files);
    if (!contents.matches(files)) {
      Optional<Secret> live = secrets.liveSecret(plan.name());
      if (live.filter(secret -> !secrets.mayUse(secret)).isPresent()) {
        keys.ofAnother(plan.name());
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
              keys.certificates()
                  .add(
                      new Certificate(
                          plan.owner() + "/" + prefix,
                          plan.name(),
                          leaf.notAfter().toString(),
                          leaf.renewAfter().toString(),
                          leaf.sha256(),
                          leaf.issuedAt().toString()));
              epoch.append(leaf.sha256(), 0, 8);
            });
    epochs.put(plan.name(), epoch.toString());
    ready.add(plan.name());
  }

  /** What the Secret should hold: each certificate that still serves is kept. */
  private Contents contents(SecretPlan plan, Map<String, byte[]> existing) {
    Map<String, KeyAndCertificate> issued = new LinkedHashMap<>();
    Map<String, String> files = new TreeMap<>(plan.fixed());
    for (PlannedLeaf leaf : plan.leaves()) {
      String certificateFile = leaf.prefix() + ".crt";
      String keyFile = leaf.prefix() + ".key";
      KeyAndCertificate kept =
          KeyAndCertificate.parse(existing.get(certificateFile), existing.get(keyFile))
              .filter(old -> leaf.authority().serves(old, leaf.leaf()))
              .filter(old -> !old.issuedAt().isBefore(oldest))
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
    if (keys.problem().isPresent()) {
      keepWhatIsKnown();
    }
    return new PkiResult(
        authorities,
        keys.problem(),
        List.copyOf(keys.certificates()),
        Set.copyOf(ready),
        List.copyOf(renewed),
        Map.copyOf(epochs),
        keys.takenOver(),
        keys.rotations(),
        keys.steps());
  }

  /** While something can't be issued, what was issued before goes on being true. */
  public void keepWhatIsKnown() {
    Set<String> listed = new HashSet<>();
    keys.certificates().forEach(certificate -> listed.add(certificate.name()));
    if (controlPlane.getStatus() == null || controlPlane.getStatus().certificates() == null) {
      return;
    }
    for (Certificate certificate : controlPlane.getStatus().certificates()) {
      if (listed.add(certificate.name())) {
        keys.certificates().add(certificate);
      }
      if (!secrets.cached(certificate.secret()).isEmpty()) {
        ready.add(certificate.secret());
      }
    }
  }

  private static String text(byte[] file) {
    return new String(file, StandardCharsets.US_ASCII);
  }
}
