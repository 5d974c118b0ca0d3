// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.PkiSpec;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CertificateAuthorityTest {
  private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");
  private static final Duration VALIDITY = Duration.ofHours(3);
  private final KeyAndCertificate ca = CertificateAuthority.create("test", at(NOW));
  private final CertificateAuthority authority = new CertificateAuthority(ca, at(NOW));

  private static Clock at(Instant instant) {
    return Clock.fixed(instant, ZoneOffset.UTC);
  }

  @Test
  void anIssuedLeafServesUntilAThirdOfItsLifeIsLeft() {
    Leaf leaf = Leaf.server("server", List.of("fd00::1", "name.example"), VALIDITY);
    KeyAndCertificate issued = authority.issue(leaf);
    assertThat(authority.serves(issued, leaf)).isTrue();
    Instant due = issued.renewAfter();
    assertThat(Duration.between(due, issued.notAfter()))
        .isBetween(Duration.ofHours(1), Duration.ofHours(1).plusSeconds(2));
    assertThat(new CertificateAuthority(ca, at(due.minusSeconds(1))).serves(issued, leaf)).isTrue();
    assertThat(new CertificateAuthority(ca, at(due)).serves(issued, leaf)).isFalse();
  }

  @Test
  void aLeafOfOtherNamesSubjectLifeOrAuthorityDoesNotServe() {
    Leaf leaf = Leaf.server("server", List.of("fd00::1"), VALIDITY);
    KeyAndCertificate issued = authority.issue(leaf);
    assertThat(authority.serves(issued, Leaf.server("server", List.of("fd00::2"), VALIDITY)))
        .isFalse();
    assertThat(authority.serves(issued, Leaf.server("other", List.of("fd00::1"), VALIDITY)))
        .isFalse();
    assertThat(
            authority.serves(
                issued, Leaf.server("server", List.of("fd00::1"), VALIDITY.plusHours(1))))
        .isFalse();
    CertificateAuthority other =
        new CertificateAuthority(CertificateAuthority.create("test", at(NOW)), at(NOW));
    assertThat(other.serves(issued, leaf)).isFalse();
  }

  private static final String SERVER_AUTH = "1.3.6.1.5.5.7.3.1";
  private static final String CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";

  /** What a store's server would open another store with. */
  @Test
  void aServersCertificateIsNoClients() throws Exception {
    KeyAndCertificate server = authority.issue(Leaf.server("s", List.of("fd00::1"), VALIDITY));
    KeyAndCertificate client = authority.issue(Leaf.client("c", "", VALIDITY));
    KeyAndCertificate peer = authority.issue(Leaf.peer("p", List.of("fd00::1"), VALIDITY));
    assertThat(server.certificate().getExtendedKeyUsage()).containsExactly(SERVER_AUTH);
    assertThat(client.certificate().getExtendedKeyUsage()).containsExactly(CLIENT_AUTH);
    assertThat(peer.certificate().getExtendedKeyUsage()).containsExactly(SERVER_AUTH, CLIENT_AUTH);
  }

  /** As an earlier operator issued them all: replacing them at once would replace pods. */
  @Test
  void oneThatIsGoodForMoreServesAndOneThatIsGoodForLessDoesNot() {
    KeyAndCertificate old = authority.issue(Leaf.peer("x", List.of("fd00::1"), VALIDITY));
    assertThat(authority.serves(old, Leaf.server("x", List.of("fd00::1"), VALIDITY))).isTrue();
    KeyAndCertificate server = authority.issue(Leaf.server("x", List.of("fd00::1"), VALIDITY));
    assertThat(authority.serves(server, Leaf.peer("x", List.of("fd00::1"), VALIDITY))).isFalse();
  }

  /** A node whose clock is behind by less than that takes the certificate at once. */
  @Test
  void certificatesOfCasAndLeavesBeginFiveMinutesBeforeNow() {
    KeyAndCertificate issued = authority.issue(Leaf.client("c", "", VALIDITY));
    assertThat(issued.certificate().getNotBefore()).isEqualTo(NOW.minusSeconds(300));
    assertThat(ca.certificate().getNotBefore()).isEqualTo(NOW.minusSeconds(300));
    assertThat(issued.notAfter()).isEqualTo(NOW.plus(VALIDITY));
  }

  /** The time before the making is no part of the validity: it would bring renewals forward. */
  @ParameterizedTest
  @ValueSource(strings = {"PT3M", "PT10M", "PT3H", "PT8760H"})
  void aThirdOfTheValidityIsLeftAtRenewal(Duration validity) {
    KeyAndCertificate issued = authority.issue(Leaf.client("c", "", validity));
    assertThat(Duration.between(issued.renewAfter(), issued.notAfter()))
        .isEqualTo(validity.dividedBy(3));
  }

  /**
   * An earlier operator's begin 5 s before their making: a new operator issues nothing for that.
   */
  @ParameterizedTest
  @ValueSource(strings = {"PT3M", "PT10M", "PT8760H"})
  void oneOfAnEarlierOperatorServesUntilItIsDue(Duration validity) {
    // Issued 295 s from now with so much less: begins and ends as one of 5 s does.
    Instant made = NOW.plus(CertificateAuthority.BACKDATED).minusSeconds(5);
    Duration left = validity.minus(CertificateAuthority.BACKDATED).plusSeconds(5);
    KeyAndCertificate old =
        new CertificateAuthority(ca, at(made)).issue(Leaf.client("c", "", left));
    assertThat(authority.serves(old, Leaf.client("c", "", validity))).isTrue();
    assertThat(old.renewAfter()).isBetween(NOW.plusSeconds(60), old.notAfter().minusSeconds(60));
    assertThat(authority.serves(old, Leaf.client("c", "", validity.plusSeconds(60)))).isFalse();
  }

  @Test
  void theAdministratorsGroupHasTheNumberOfTheSpec() {
    assertThat(ControlPlanePki.administrators(null)).isEqualTo("exaplane:admins");
    assertThat(ControlPlanePki.administrators(new PkiSpec(null, null, 0)))
        .isEqualTo("exaplane:admins");
    assertThat(ControlPlanePki.administrators(new PkiSpec(null, null, 2)))
        .isEqualTo("exaplane:admins:2");
    assertThat(PkiSpec.adminKubeconfigValidity(new PkiSpec("3h", null, null)))
        .isEqualTo(Duration.ofHours(3));
    assertThat(PkiSpec.adminKubeconfigValidity(new PkiSpec("3h", "10m", null)))
        .isEqualTo(Duration.ofMinutes(10));
  }

  @Test
  void addressesAreComparedByValueNotBySpelling() {
    KeyAndCertificate issued =
        authority.issue(Leaf.server("server", List.of("fd00:0:0:1226::1"), VALIDITY));
    assertThat(
            authority.serves(
                issued, Leaf.server("server", List.of("fd00:0:0:1226:0:0:0:1"), VALIDITY)))
        .isTrue();
  }

  @Test
  void aClientsGroupIsItsOrganization() {
    KeyAndCertificate issued = authority.issue(Leaf.client("me", "system:masters", VALIDITY));
    assertThat(issued.certificate().getSubjectX500Principal().getName())
        .contains("O=system:masters", "CN=me");
  }

  @Test
  void pemIsReadBackAndAKeyOfAnotherCertificateIsRefused() {
    KeyAndCertificate one = authority.issue(Leaf.client("one", "", VALIDITY));
    KeyAndCertificate two = authority.issue(Leaf.client("two", "", VALIDITY));
    assertThat(KeyAndCertificate.parse(bytes(one.certificatePem()), bytes(one.keyPem())))
        .hasValueSatisfying(read -> assertThat(read.sha256()).isEqualTo(one.sha256()));
    assertThat(KeyAndCertificate.parse(bytes(one.certificatePem()), bytes(two.keyPem()))).isEmpty();
    assertThat(KeyAndCertificate.parse(bytes("nonsense"), bytes(one.keyPem()))).isEmpty();
    assertThat(KeyAndCertificate.parse(null, null)).isEmpty();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
