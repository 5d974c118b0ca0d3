// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.pki.Authorities;
import io.exaplane.operator.pki.CertificateAuthority;
import io.exaplane.operator.pki.KeyAndCertificate;
import io.exaplane.operator.pki.Leaf;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nobody gets a kubeconfig without rights in place of one that has some. */
class AdminGroupTest {
  private static final CertificateAuthority CA = authority();
  private static final Authorities KEYS = new Authorities(CA, CA, CA, "", "");
  private static final ControlPlane REVISION_2 =
      Fixtures.controlPlane("{version: 1.36.3, maxNodes: 10, pki: {adminKubeconfigRevision: 2}}");

  private static CertificateAuthority authority() {
    return new CertificateAuthority(
        CertificateAuthority.create("demo-ca", Clock.systemUTC()), Clock.systemUTC());
  }

  private static Secret kubeconfig(CertificateAuthority by, String group) {
    KeyAndCertificate one = by.issue(Leaf.client("exaplane-admin", group, Duration.ofHours(1)));
    return new SecretBuilder()
        .addToData("admin.crt", base64(one.certificatePem()))
        .addToData("admin.key", base64(one.keyPem()))
        .build();
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }

  @ParameterizedTest
  @CsvSource({
    "system:masters,    false, system:masters",
    "exaplane:admins,   false, exaplane:admins",
    "exaplane:admins:1, false, exaplane:admins:1",
    "exaplane:admins:1, true,  exaplane:admins:2",
    "system:masters,    true,  exaplane:admins:2",
    "exaplane:admins:2, false, exaplane:admins:2",
    "'',                false, exaplane:admins:2"
  })
  void anEarlierGroupStaysUntilTheNextHasRights(String earlier, boolean bound, String group) {
    assertThat(
            AdminGroup.of(
                REVISION_2,
                kubeconfig(CA, earlier),
                KEYS,
                wanted -> bound && wanted.equals("exaplane:admins:2")))
        .isEqualTo(group);
  }

  @Test
  void aFirstKubeconfigWaitsForNobody() {
    assertThat(AdminGroup.of(REVISION_2, null, KEYS, _ -> false)).isEqualTo("exaplane:admins:2");
    assertThat(AdminGroup.of(REVISION_2, new Secret(), KEYS, _ -> false))
        .isEqualTo("exaplane:admins:2");
  }

  /** Who may write Secrets chooses no group. */
  @Test
  void aCertificateOfAnotherCaSaysNothing() {
    Secret planted = kubeconfig(authority(), "system:masters");
    assertThat(AdminGroup.of(REVISION_2, planted, KEYS, _ -> false)).isEqualTo("exaplane:admins:2");
  }
}
