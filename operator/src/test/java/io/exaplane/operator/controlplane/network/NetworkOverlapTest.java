// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.management.ManagementAddresses;
import io.exaplane.operator.management.Taken;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.outcome.Problem;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.networking.v1.ServiceCIDR;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Line 35: a hosted network that the management cluster has is refused with both values. */
class NetworkOverlapTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # hosted network                                                            | field and value                  | what it overlaps
          serviceCIDRs: ['fd00:10:96::/112']                                          | serviceCIDRs fd00:10:96::/112    | fd00:10:96::/108, of the management cluster's Services
          serviceCIDRs: ['fd00:10:96::9:0/112']                                       | serviceCIDRs fd00:10:96::9:0/112 | fd00:10:96::/108
          serviceCIDRs: ['fd00:10:244:0:1::/112']                                     | serviceCIDRs                     | fd00:10:244::/64, of the management cluster's pods on node w1
          serviceCIDRs: ['fd00:10:1::/112']                                           | serviceCIDRs fd00:10:1::/112     | fd00:10:1::11, of the management cluster's node w1
          ipFamilies: [IPv6, IPv4], serviceCIDRs: ['fd00:9::/112', '10.96.0.0/16']    | serviceCIDRs 10.96.0.0/16        | 10.96.0.0/12, of the management cluster's Services
          ipFamilies: [IPv6, IPv4], serviceCIDRs: ['fd00:9::/112', '192.0.2.0/28']    | serviceCIDRs 192.0.2.0/28        | 192.0.2.11, of the management cluster's node w1
          podCIDRs: ['fd00:10:244::/48']                                              | podCIDRs fd00:10:244::/48        | fd00:10:244::/64
          podCIDRs: ['fd00:10:244::/64']                                              | podCIDRs fd00:10:244::/64        | fd00:10:244::/64
          podCIDRs: ['fd00:10:1::/56']                                                | podCIDRs fd00:10:1::/56          | fd00:10:1::11
          podCIDRs: ['fd00:10:96::/48']                                               | podCIDRs fd00:10:96::/48         | fd00:10:96::/108
          ipFamilies: [IPv6, IPv4], podCIDRs: ['fd00:9::/48', '10.244.0.0/16']        | podCIDRs 10.244.0.0/16           | 10.244.1.0/24, of the management cluster's pods on node w1
          ipFamilies: [IPv6, IPv4], podCIDRs: ['fd00:9::/48', '192.0.0.0/16']         | podCIDRs 192.0.0.0/16            | 192.0.2.11
          ''                                                                          | ''                               | ''
          podCIDRs: ['fd00:10:245::/48']                                              | ''                               | ''
          serviceCIDRs: ['fd00:10:97::/112']                                          | ''                               | ''
          ipFamilies: [IPv6, IPv4]                                                    | ''                               | ''
          ipFamilies: [IPv6, IPv4], podCIDRs: ['fd00:9::/48', '10.245.0.0/16']        | ''                               | ''
          """)
  void bothValuesAreSaid(String network, String said, String overlaps) {
    ControlPlane controlPlane =
        Fixtures.controlPlane("{version: 1.36.3, maxNodes: 1, network: {%s}}".formatted(network));
    Optional<Problem> found = NetworkOverlap.find(controlPlane.getSpec(), taken());
    assertThat(found.isPresent()).isEqualTo(!said.isEmpty());
    found.ifPresent(
        problem -> {
          assertThat(problem.reason()).isEqualTo(Reason.NetworkOverlap);
          assertThat(problem.message()).contains("spec.network." + said, overlaps, "Set a range");
        });
  }

  @Test
  void withoutServiceCidrsTheServiceKubernetesIsKnown() {
    assertThat(ManagementAddresses.ofServices(List.of(), Optional.of(kubernetes())))
        .containsExactly(
            new Taken("Service default/kubernetes", "10.96.0.1"),
            new Taken("Service default/kubernetes", "fd00:10:96::1"));
    ControlPlane controlPlane =
        Fixtures.controlPlane(
            "{version: 1.36.3, maxNodes: 1, network: {serviceCIDRs: ['fd00:10:96::/112']}}");
    assertThat(
            NetworkOverlap.find(
                controlPlane.getSpec(),
                ManagementAddresses.ofServices(List.of(), Optional.of(kubernetes()))))
        .isPresent();
  }

  @Test
  void aNodeMayTellLittle() {
    assertThat(ManagementAddresses.ofNodes(List.of(node("{}", "{}")))).isEmpty();
    assertThat(ManagementAddresses.ofNodes(List.of(node("{podCIDR: 10.1.0.0/24}", "{}"))))
        .containsExactly(new Taken("pods on node w1", "10.1.0.0/24"));
  }

  private static List<Taken> taken() {
    ServiceCIDR services =
        Serialization.unmarshal(
            """
            apiVersion: networking.k8s.io/v1
            kind: ServiceCIDR
            metadata: {name: kubernetes}
            spec: {cidrs: [10.96.0.0/12, "fd00:10:96::/108"]}
            """,
            ServiceCIDR.class);
    List<Taken> taken =
        new ArrayList<>(
            ManagementAddresses.ofServices(List.of(services), Optional.of(kubernetes())));
    taken.addAll(
        ManagementAddresses.ofNodes(
            List.of(
                node(
                    "{podCIDR: 10.244.1.0/24, podCIDRs: [10.244.1.0/24, 'fd00:10:244::/64']}",
                    "{addresses: [{type: InternalIP, address: 'fd00:10:1::11'}, {type: ExternalIP, address: 192.0.2.11}, {type: Hostname, address: w1}]}"))));
    return taken;
  }

  private static Service kubernetes() {
    return Serialization.unmarshal(
        """
        apiVersion: v1
        kind: Service
        metadata: {name: kubernetes, namespace: default}
        spec: {clusterIP: 10.96.0.1, clusterIPs: [10.96.0.1, "fd00:10:96::1"]}
        """,
        Service.class);
  }

  private static Node node(String spec, String status) {
    return Serialization.unmarshal(
        """
        apiVersion: v1
        kind: Node
        metadata: {name: w1}
        spec: %s
        status: %s
        """
            .formatted(spec, status),
        Node.class);
  }

  @Test
  void whatIsOfARestoredOneSaysThatItWasMade() {
    var controlPlane = Fixtures.controlPlane("{version: 1.36.3, maxNodes: 1}");
    var labels = new ControlPlaneNames(controlPlane).labels();
    var shard = new StoreShard();
    assertThat(ManagementNetworks.hasStores(controlPlane, List.of(shard))).isFalse();
    shard.getMetadata().setOwnerReferences(Fixtures.ownedBy(controlPlane));
    assertThat(ManagementNetworks.hasStores(controlPlane, List.of(shard))).isTrue();
    var claim = new PersistentVolumeClaimBuilder().withNewMetadata().endMetadata().build();
    assertThat(ManagementNetworks.isRestored(controlPlane, List.of(), List.of())).isFalse();
    assertThat(ManagementNetworks.isRestored(controlPlane, List.of(claim), List.of())).isTrue();
    claim.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
    assertThat(ManagementNetworks.isRestored(controlPlane, List.of(claim), List.of())).isFalse();
    var secret = new SecretBuilder().withNewMetadata().endMetadata().build();
    assertThat(ManagementNetworks.isRestored(controlPlane, List.of(), List.of(secret))).isFalse();
    secret.getMetadata().setLabels(labels);
    assertThat(ManagementNetworks.isRestored(controlPlane, List.of(), List.of(secret))).isTrue();
  }
}
