// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.operator.pki.Authorities;
import io.exaplane.operator.pki.CertificateAuthority;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a probe that is under way still gets of a connection that was closed. */
class HostedClusterTest {
  @Test
  void oneThatIsClosedOpensNothingAgain() {
    Clock clock = Clock.systemUTC();
    var ca = new CertificateAuthority(CertificateAuthority.create("demo-ca", clock), clock);
    var api =
        new HostedApi(
            "https://127.0.0.1:1",
            new Authorities(ca, ca, ca, "", ""),
            new ServingRules(Set.of(), "cluster.local", List.of(), List.of()),
            Optional.empty());
    // Without clients to open: whoever tries fails with another exception.
    HostedCluster cluster = new HostedCluster(api, null, () -> {});
    assertThatThrownBy(cluster::client).isInstanceOf(NullPointerException.class);
    cluster.close();
    assertThatThrownBy(cluster::client).isInstanceOf(KubernetesClientException.class);
    assertThatThrownBy(cluster::startWatches).isInstanceOf(KubernetesClientException.class);
    assertThat(cluster.clientUnlessClosed()).isEmpty();
  }
}
