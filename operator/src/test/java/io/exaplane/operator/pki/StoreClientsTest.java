// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.pki.SecretPlan.PlannedLeaf;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * An etcd accepts each client of its CA, and knows hostnames only. So the CA of a control plane's
 * stores must issue certificates of clients to kube-apiservers alone.
 */
class StoreClientsTest {
  private static final ControlPlane OWNER =
      Fixtures.controlPlane("{version: 1.36.3, maxNodes: 10}");
  private static final String SERVER = "https://127.0.0.1:6443";

  private final CertificateAuthority stores = ca("stores");
  private final CertificateAuthority other = ca("other");
  private final ControlPlanePki plans =
      new ControlPlanePki(OWNER, new Authorities(other, other, stores, "", ""), true);

  private static CertificateAuthority ca(String name) {
    Clock clock = Clock.systemUTC();
    return new CertificateAuthority(CertificateAuthority.create(name, clock), clock);
  }

  private Stream<PlannedLeaf> leaves() {
    return Stream.of(
            plans.store("default", List.of("demo-default")),
            plans.store("events", List.of("demo-events")),
            plans.apiServer("127.0.0.1", List.of()),
            plans.controllerManager(SERVER),
            plans.scheduler(SERVER),
            plans.adminKubeconfig(SERVER, ControlPlanePki.administrators(null)))
        .flatMap(plan -> plan.leaves().stream());
  }

  @Test
  void theCaOfStoresIssuesOneClient() {
    assertThat(leaves().filter(leaf -> leaf.authority() == stores))
        .filteredOn(leaf -> leaf.leaf().role() != Leaf.Role.SERVER)
        .extracting(leaf -> leaf.leaf().commonName())
        .containsExactly("kube-apiserver-store-client");
    assertThat(leaves().filter(leaf -> leaf.authority() == stores))
        .as("and the servers of its stores")
        .hasSize(3);
  }
}
