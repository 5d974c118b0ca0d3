// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import io.exaplane.api.v1alpha1.PkiSpec;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.operator.names.PoolNames;
import io.exaplane.operator.outcome.NeedsPersonException;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Keeps the certificates of a pool's tree as they should be: a CA of its own and one certificate
 * for all of its processes, which read it again when it is another. Nothing is bound to the CA but
 * these processes, so one that is gone is simply made anew. Made for one reconciliation and used by
 * one thread.
 */
public final class PoolCertificates {
  private static final String CERTIFICATE = "tls.crt";
  private static final String KEY = "tls.key";
  private static final String CA = "ca.crt";

  private final PoolNames names;
  private final SecretStore secrets;
  private final Clock clock;

  public PoolCertificates(
      SchedulerPool pool, KubernetesClient client, Function<String, Secret> cached, Clock clock) {
    this.names = new PoolNames(pool);
    this.secrets = new SecretStore(client, pool, names.labels(), cached);
    this.clock = clock;
  }

  /**
   * Brings them up to date.
   *
   * @param hosts addresses of roots and relays
   * @return when the next renewal is due
   */
  public Instant ensure(Collection<String> hosts) {
    CertificateAuthority authority = authority();
    TreeSet<String> all = new TreeSet<>(hosts);
    all.add("localhost");
    Duration validity = PkiSpec.leafValidity(null);
    Leaf leaf = Leaf.peer("exaplane-scheduler-tree", all, validity);
    String ca = authority.ca().certificatePem();
    Optional<KeyAndCertificate> kept =
        valid(authority, leaf, ca, secrets.cached(names.treeSecret()));
    if (kept.isEmpty()) {
      kept = valid(authority, leaf, ca, live(names.treeSecret()));
    }
    if (kept.isPresent()) {
      return kept.get().renewAfter();
    }
    KeyAndCertificate issued = authority.issue(leaf);
    Map<String, String> files = new TreeMap<>();
    files.put(CERTIFICATE, issued.certificatePem());
    files.put(KEY, issued.keyPem());
    files.put(CA, ca);
    secrets.apply(names.treeSecret(), Map.of(), files);
    return issued.renewAfter();
  }

  /** Nothing is read from, or written on, what is somebody else's; one of a backup is made ours. */
  private Map<String, byte[]> live(String name) {
    Optional<Secret> found = secrets.liveSecret(name);
    if (found.filter(secret -> !secrets.mayUse(secret)).isPresent()) {
      throw new NeedsPersonException(
          "Secret %s exists and does not belong to this SchedulerPool. The operator changed nothing"
              .formatted(name),
          "Delete the Secret, or give the pool another name.");
    }
    found.ifPresent(secrets::own);
    return found.map(SecretStore::files).orElse(Map.of());
  }

  private static Optional<KeyAndCertificate> valid(
      CertificateAuthority authority, Leaf leaf, String ca, Map<String, byte[]> files) {
    byte[] known = files.get(CA);
    return known == null || !ca.equals(new String(known, StandardCharsets.US_ASCII))
        ? Optional.empty()
        : KeyAndCertificate.parse(files.get(CERTIFICATE), files.get(KEY))
            .filter(existing -> authority.serves(existing, leaf));
  }

  private CertificateAuthority authority() {
    Map<String, byte[]> files = secrets.cached(names.treeCa());
    if (files.isEmpty()) {
      files = live(names.treeCa());
    }
    if (files.isEmpty()) {
      files = secrets.createOnce(names.treeCa(), Authorities.newAuthority(names.treeCa(), clock));
    }
    return Authorities.read(files, clock)
        .orElseThrow(
            () ->
                new NeedsPersonException(
                    "Secret %s holds no certificate with its key in tls.crt and tls.key"
                        .formatted(names.treeCa()),
                    "Delete the Secret; the operator then creates the Secret again."));
  }
}
