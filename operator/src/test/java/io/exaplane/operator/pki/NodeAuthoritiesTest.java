// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.RotationPhase;
import io.exaplane.operator.rotation.RotatedKey;
import io.exaplane.operator.rotation.Stage;
import java.nio.charset.StandardCharsets;
import java.security.Signature;
import java.time.Clock;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What nodes are told to trust at each step of a CA, and whose word that is. */
class NodeAuthoritiesTest {
  private static final KeyAndCertificate OLD = CertificateAuthority.create("ca", Clock.systemUTC());
  private static final KeyAndCertificate NEW =
      CertificateAuthority.create("ca-2", Clock.systemUTC());

  private static Map<String, String> files(KeyAndCertificate ca) {
    return Map.of(
        Authorities.CERTIFICATE_FILE, ca.certificatePem(), Authorities.KEY_FILE, ca.keyPem());
  }

  private static Optional<NodeAuthorities> of(Stage stage, RotationPhase phase) {
    RotatedKey key =
        switch (stage) {
          case SINGLE -> new RotatedKey(stage, 4, Instant.EPOCH, files(NEW), Map.of());
          case TRUSTED -> new RotatedKey(stage, 1, Instant.EPOCH, files(OLD), files(NEW));
          case ISSUING, SERVING -> new RotatedKey(stage, 2, Instant.EPOCH, files(NEW), files(OLD));
        };
    return NodeAuthorities.of(key, phase);
  }

  private static String pem(NodeAuthorities authorities) {
    return new String(Base64.getDecoder().decode(authorities.text()), StandardCharsets.US_ASCII);
  }

  /** A kubelet restarts once in a rotation: for both CAs, when the new one signs everywhere. */
  @ParameterizedTest
  @CsvSource({
    "TRUSTED, Preparing,  ''",
    "ISSUING, Preparing,  ''",
    "ISSUING, ,           ''",
    "ISSUING, Prepared,   new old",
    "ISSUING, Completing, new old",
    "SERVING, Completing, new old",
    "SINGLE,  Completing, new",
    "SINGLE,  Completed,  new",
    "SINGLE,  ,           new",
  })
  void nodesTrustTheCaThatSignsFirst(Stage stage, RotationPhase phase, String trusted) {
    String expected =
        trusted.replace("new", NEW.certificatePem()).replace("old", OLD.certificatePem());
    assertThat(of(stage, phase).map(NodeAuthoritiesTest::pem).orElse(""))
        .isEqualTo(expected.replace("-----\n -----", "-----\n-----"));
    of(stage, phase).ifPresent(all -> assertThat(all.addsOne()).isEqualTo(stage != Stage.SINGLE));
  }

  /** Nodes that know the old CA alone accept no other word. */
  @ParameterizedTest
  @CsvSource({"ISSUING, old", "SERVING, old", "SINGLE, new"})
  void aCaThatNodesTrustAlreadyVouchesForIt(Stage stage, String signer) throws Exception {
    NodeAuthorities authorities = of(stage, RotationPhase.Prepared).orElseThrow();
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initVerify((signer.equals("old") ? OLD : NEW).certificate());
    signature.update(pem(authorities).getBytes(StandardCharsets.US_ASCII));
    assertThat(signature.verify(Base64.getDecoder().decode(authorities.proof(Optional.empty()))))
        .isTrue();
  }

  @Test
  void aProofStaysAsLongAsItIsRight() {
    NodeAuthorities authorities = of(Stage.ISSUING, RotationPhase.Prepared).orElseThrow();
    String proof = authorities.proof(Optional.empty());
    assertThat(authorities.proof(Optional.of(proof))).isEqualTo(proof);
    for (String other :
        new String[] {
          "", "AAAA", "no Base64", of(Stage.SINGLE, null).get().proof(Optional.empty())
        }) {
      assertThat(authorities.proof(Optional.of(other))).isNotEqualTo(other);
    }
  }

  @Test
  void theShortNameIsThatOfTheBundle() {
    NodeAuthorities both = of(Stage.ISSUING, RotationPhase.Prepared).orElseThrow();
    assertThat(both.id()).matches("[0-9a-f]{16}");
    assertThat(of(Stage.SERVING, RotationPhase.Completing)).contains(both);
    assertThat(of(Stage.SINGLE, null).orElseThrow().id()).isNotEqualTo(both.id());
    assertThat(both.toString()).contains(both.id()).doesNotContain("PRIVATE");
  }

  @Test
  void withoutAWholeCaNobodyIsTold() {
    assertThat(
            NodeAuthorities.of(
                new RotatedKey(Stage.SINGLE, 0, Instant.EPOCH, Map.of(), Map.of()), null))
        .isEmpty();
  }
}
