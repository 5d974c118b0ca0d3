// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.operator.pki.CertificateAuthority;
import io.exaplane.operator.pki.Leaf;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PeerTlsTest {
  private final PeerTls tls = new PeerTls((_, _, _, _) -> {});

  private static PeerTls.Peer peer() {
    CertificateAuthority authority =
        new CertificateAuthority(
            CertificateAuthority.create("ca", Clock.systemUTC()), Clock.systemUTC());
    return new PeerTls.Peer(
        authority.issue(Leaf.client("client", "org", Duration.ofHours(1))),
        ProbeClient.trust(authority.ca().certificatePem()));
  }

  /** A certificate is renewed while a request with the one of before is under way. */
  @Test
  void aRequestUnderWayKeepsItsPeerWhenAnotherOneEnds() {
    PeerTls.Peer before = peer();
    PeerTls.Peer renewed = peer();
    String key = ProbeClient.key("10.0.0.1", 2379);
    PeerTls.Use first = tls.with("10.0.0.1", 2379, before);
    PeerTls.Use again = tls.with("10.0.0.1", 2379, before);
    PeerTls.Use second = tls.with("10.0.0.1", 2379, renewed);
    assertThat(tls.shown(key)).contains(renewed);
    second.close();
    assertThat(tls.shown(key)).contains(before);
    first.close();
    assertThat(tls.shown(key)).contains(before);
    again.close();
    assertThat(tls.shown(key)).isEmpty();
  }
}
