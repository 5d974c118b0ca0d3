// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.time.Clock;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ConsoleKeysTest {
  private final Clock clock = Clock.systemUTC();

  @Test
  void twoOperatorsOpenEachOthersCookies() {
    Secret secret = ConsoleKeys.fresh("exaplane-system", clock);
    Instant now = clock.instant();
    String cookie = ConsoleKeys.parse(secret, clock).seal().close("t", now);
    assertThat(ConsoleKeys.parse(secret, clock).seal().open(cookie, now)).hasValue("t");
  }

  @Test
  void theCertificateIsForTheServiceAndForTunnels() throws Exception {
    ConsoleKeys keys = ConsoleKeys.parse(ConsoleKeys.fresh("exaplane-system", clock), clock);
    var certificate = keys.certificate("exaplane-system").certificate();
    assertThat(certificate.getSubjectAlternativeNames().toString())
        .contains("localhost", "exaplane-operator-console.exaplane-system.svc", "127.0.0.1");
    certificate.verify(keys.ca().ca().certificate().getPublicKey());
  }

  @Test
  void aDamagedSecretIsTold() {
    Secret damaged =
        new SecretBuilder(ConsoleKeys.fresh("exaplane-system", clock))
            .addToData("seal.key", "AAAA")
            .build();
    assertThatThrownBy(() -> ConsoleKeys.parse(damaged, clock))
        .hasMessageContaining("exaplane-system/exaplane-console")
        .hasMessageContaining("delete the Secret and restart the operator");
  }
}
