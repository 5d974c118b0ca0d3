// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.operator.pki.Authorities;
import io.exaplane.operator.pki.CertificateAuthority;
import io.exaplane.operator.probe.CheckedAddress;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a probe that is under way still gets of a connection that was closed. */
class HostedClusterTest {
  /** What a kind keeps there. */
  private static final class Kept implements HostedCluster.Attachment {
    private boolean ended;
    private boolean closed;

    @Override
    public boolean hasEnded() {
      return ended;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private static HostedApi api() {
    Clock clock = Clock.systemUTC();
    var ca = new CertificateAuthority(CertificateAuthority.create("demo-ca", clock), clock);
    return new HostedApi(
        "https://127.0.0.1:1",
        new Authorities(ca, ca, ca, "", ""),
        new ServingRules(Set.of(), "cluster.local", List.of(), List.of()),
        Optional.empty());
  }

  /** A NodePool that comes or goes must not end the watches of all Nodes. */
  @Test
  void otherRulesAreFollowedByTheSameConnection() {
    HostedApi first = api();
    HostedApi second =
        new HostedApi(
            first.server(),
            first.authorities(),
            new ServingRules(Set.of("api"), "cluster.local", List.of(), List.of()),
            first.dataEpoch());
    HostedClusters clusters = new HostedClusters(null, null, Clock.systemUTC());
    HostedCluster cluster = clusters.connect("u", first, () -> {});
    assertThat(cluster.rules()).isEqualTo(first.rules());
    assertThat(clusters.connect("u", second, () -> {})).isSameAs(cluster);
    assertThat(cluster.rules()).isEqualTo(second.rules());
  }

  @Test
  void oneThatIsClosedOpensNothingAgain() {
    // Without clients to open: whoever tries fails with another exception.
    HostedCluster cluster = new HostedCluster(api(), null, () -> {});
    assertThatThrownBy(cluster::client).isInstanceOf(NullPointerException.class);
    cluster.close();
    assertThatThrownBy(cluster::client).isInstanceOf(KubernetesClientException.class);
    assertThatThrownBy(cluster::startWatches).isInstanceOf(KubernetesClientException.class);
    assertThat(cluster.clientUnlessClosed()).isEmpty();
  }

  @Test
  void furtherClientsAskInTheNameOfAnAccount() {
    Vertx vertx = Vertx.vertx();
    HostedClients clients = new HostedClients(vertx, new CheckedAddress());
    HostedCluster cluster = new HostedCluster(api(), clients, () -> {});
    Optional<ImpersonatedUser> user =
        Optional.of(ImpersonatedUser.serviceAccount("team", "deployer"));
    try {
      assertThatThrownBy(() -> cluster.further(user))
          .as("nothing is open")
          .isInstanceOf(KubernetesClientException.class);
      cluster.client();
      try (KubernetesClient further = cluster.further(user)) {
        assertThat(further.getConfiguration().getImpersonateUsername())
            .isEqualTo("system:serviceaccount:team:deployer");
        assertThat(further.getConfiguration().getImpersonateGroups())
            .contains("system:serviceaccounts:team", "system:authenticated")
            .doesNotContain("system:masters");
      }
      try (KubernetesClient further = cluster.further(Optional.empty())) {
        assertThat(further.getConfiguration().getImpersonateUsername()).isNull();
      }
    } finally {
      cluster.close();
      clients.close();
      vertx.close();
    }
    assertThatThrownBy(() -> cluster.further(user)).isInstanceOf(KubernetesClientException.class);
  }

  @Test
  void whatAKindKeepsEndsWithTheConnection() {
    Vertx vertx = Vertx.vertx();
    HostedClients clients = new HostedClients(vertx, new CheckedAddress());
    HostedCluster cluster = new HostedCluster(api(), clients, () -> {});
    try {
      assertThat(cluster.attach(Kept.class, _ -> new Kept())).as("nothing is open").isEmpty();
      cluster.client();
      Kept first = cluster.attach(Kept.class, _ -> new Kept()).orElseThrow();
      assertThat(cluster.attach(Kept.class, _ -> new Kept())).containsSame(first);
      assertThat(cluster.attached(Kept.class)).containsSame(first);
      first.ended = true;
      Kept second = cluster.attach(Kept.class, _ -> new Kept()).orElseThrow();
      assertThat(second).isNotSameAs(first);
      cluster.detach(Kept.class);
      assertThat(second.closed).isTrue();
      assertThat(cluster.attached(Kept.class)).isEmpty();
      Kept third = cluster.attach(Kept.class, _ -> new Kept()).orElseThrow();
      cluster.rest();
      assertThat(third.closed).isTrue();
      assertThat(cluster.attached(Kept.class)).isEmpty();
      assertThat(cluster.attach(Kept.class, _ -> new Kept())).isEmpty();
    } finally {
      cluster.close();
      clients.close();
      vertx.close();
    }
  }
}
