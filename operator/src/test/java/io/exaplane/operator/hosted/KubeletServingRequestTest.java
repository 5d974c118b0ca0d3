// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import static io.exaplane.operator.hosted.ServingRequests.dns;
import static io.exaplane.operator.hosted.ServingRequests.extension;
import static io.exaplane.operator.hosted.ServingRequests.ip;
import static io.exaplane.operator.hosted.ServingRequests.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.operator.controlplane.Fixtures;
import io.fabric8.kubernetes.api.model.Node;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.junit.jupiter.api.Test;

/** What a kubelet is given, beside {@link KubeletServingAttackTest}. */
class KubeletServingRequestTest {
  private final Node node =
      node("w1", "InternalIP=fd00:10:1::11", "ExternalIP=192.0.2.11", "Hostname=w1");

  @Test
  void aNodesOwnRequestIsApproved() {
    assertThat(judge(ServingRequests.of(dns("w1"), ip("fd00:10:1::11")), "")).isEmpty();
    assertThat(judge(ServingRequests.of(ip("fd00:10:1:0::11"), ip("192.0.2.11")), "")).isEmpty();
    assertThat(judge(ServingRequests.of(dns("w1")), "")).isEmpty();
    assertThat(judge(ServingRequests.of(dns("w1")).subject("CN=system:node:w1,O=system:nodes"), ""))
        .isEmpty();
  }

  /** The signer sets these by itself, whatever the request says. */
  @Test
  void extensionsOfAServerDoNoHarm() {
    assertThat(
            judge(
                ServingRequests.of()
                    .with(
                        extension(dns("w1")),
                        extension("2.5.29.19", true, new BasicConstraints(false)),
                        extension("2.5.29.15", true, new KeyUsage(KeyUsage.digitalSignature)),
                        extension(
                            "2.5.29.37",
                            false,
                            new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth))),
                ""))
        .isEmpty();
  }

  @Test
  void whereTheControlPlaneSaysThatNodesAreIsWhereTheyAre() {
    ServingRequests request = ServingRequests.of(dns("w1"), ip("fd00:10:1::11"));
    assertThat(judge(request, ", nodeCIDRs: ['fd00:10:1::/64']")).isEmpty();
    assertThat(judge(request, ", nodeCIDRs: ['fd00:10:2::/64', '192.0.2.0/24']"))
        .contains(
            "the address fd00:10:1:0:0:0:0:11 is in none of spec.network.nodeCIDRs of the"
                + " ControlPlane");
    assertThat(judge(ServingRequests.of(ip("192.0.2.11")), ", nodeCIDRs: ['192.0.2.8/29']"))
        .isEmpty();
    assertThat(judge(ServingRequests.of(ip("192.0.2.11")), ", nodeCIDRs: ['192.0.2.0/29']"))
        .isPresent();
  }

  @Test
  void anObjectionNamesWhatWasAskedFor() {
    assertThat(judge(ServingRequests.of(dns("w1"), dns("w2")), ""))
        .contains("the name 'w2' is not the node's own");
    assertThat(judge(ServingRequests.of(ip("fd00:10:1::12")), ""))
        .contains("the node's addresses don't include [fd00:10:1:0:0:0:0:12]");
  }

  @Test
  void aNodeThatIsNotThereIsRefused() {
    assertThat(
            KubeletServingRequest.read(ServingRequests.of(dns("w1")).build())
                .judge(name -> Optional.empty(), rules(""), (_, _) -> false)
                .objection())
        .contains("the node does not exist");
  }

  private Optional<String> judge(ServingRequests request, String network) {
    return KubeletServingRequest.read(request.build())
        .judge(name -> Optional.of(node), rules(network), (_, _) -> false)
        .objection();
  }

  private static ServingRules rules(String network) {
    return ServingRules.of(
        Fixtures.controlPlane(
            "{version: 1.36.3, maxNodes: 10, network: {clusterDomain: cluster.local%s}}"
                .formatted(network)),
        Set.of("fd00:0:0:1226::1"),
        List.of());
  }
}
