// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import io.exaplane.api.v1alpha1.ControlPlaneStatus.Certificate;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.rotation.Rotation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a look at a control plane's certificates found and did. Immutable.
 *
 * @param authorities the CAs, unless there is a problem with one
 * @param problem why nothing can be issued
 * @param certificates for status
 * @param secrets names of the Secrets that are as they should be
 * @param renewed what was issued anew in place of an older certificate, for Events
 * @param epochs fingerprint of the certificates in each Secret
 * @param takenOver whose keys they were before, if another control plane's
 * @param rotations how far rotations are; empty when nobody looked
 * @param steps of rotations that were made now, for Events
 */
public record PkiResult(
    Optional<Authorities> authorities,
    Optional<Problem> problem,
    List<Certificate> certificates,
    Set<String> secrets,
    List<String> renewed,
    Map<String, String> epochs,
    Optional<TakenOver> takenOver,
    List<Rotation> rotations,
    List<String> steps) {

  /** Without a look at rotations. */
  public PkiResult(
      Optional<Authorities> authorities,
      Optional<Problem> problem,
      List<Certificate> certificates,
      Set<String> secrets,
      List<String> renewed,
      Map<String, String> epochs,
      Optional<TakenOver> takenOver) {
    this(
        authorities,
        problem,
        certificates,
        secrets,
        renewed,
        epochs,
        takenOver,
        List.of(),
        List.of());
  }

  /**
   * The control plane of the same name, removed by now, whose keys these were.
   *
   * @param uid of that one
   * @param now whether it happened just now
   */
  public record TakenOver(String uid, boolean now) {}

  /** Time until the next renewal is due, at least a second. */
  public Optional<Duration> untilNextRenewal(Instant now) {
    return certificates.stream()
        .map(Certificate::renewAfter)
        .filter(java.util.Objects::nonNull)
        .map(Instant::parse)
        .min(Instant::compareTo)
        .map(due -> Duration.between(now, due).plusSeconds(1))
        .map(left -> left.isPositive() ? left : Duration.ofSeconds(1));
  }
}
