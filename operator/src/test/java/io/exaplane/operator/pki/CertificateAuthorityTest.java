// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

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
