// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.api.v1alpha1.NodeKubeletSpec;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.operator.management.Taken;
import io.exaplane.operator.names.NodePoolNames;
import io.exaplane.operator.net.ClusterDns;
import io.exaplane.operator.nodepool.NodePools;
import io.exaplane.operator.nodepool.address.ClusterPlan;
import io.exaplane.operator.nodepool.address.ClusterPlan.Reserved;
import io.exaplane.operator.nodepool.address.PoolPlan;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodePoolRenderTest {
  private static final Instant END = Instant.parse("2026-01-02T00:00:00Z");
  private static final ApiEndpoint API =
      new ApiEndpoint(
          "https://[2001:db8::1]:6443",
          "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n");

  @Test
  void settingsOfTheUserTakeThePlaceOfTheModels() {
    String advice =
        """
        apiVersion: kubelet.config.k8s.io/v1beta1
        kind: KubeletConfiguration
        nodeLeaseDurationSeconds: 120
        eventRecordQPS: 5
        """;
    KubeletSettings models = KubeletSettings.of(Optional.of(advice), NodeKubeletSpec.of(null));
    assertThat(models.json()).isEqualTo("{\"eventRecordQPS\":5,\"nodeLeaseDurationSeconds\":120}");
    assertThat(models.leaseSeconds()).isEqualTo(120);
    assertThat(models.maxPods()).isEqualTo(110);
    KubeletSettings own =
        KubeletSettings.of(
            Optional.of(advice),
            new NodeKubeletSpec(30, 60, 20, 600, null, null, null, null, null));
    assertThat(own.json())
        .isEqualTo(
            "{\"eventRecordQPS\":5,\"maxPods\":30,\"nodeLeaseDurationSeconds\":60,"
                + "\"nodeStatusReportFrequency\":\"600s\",\"nodeStatusUpdateFrequency\":\"20s\"}");
    KubeletSettings none = KubeletSettings.of(Optional.empty(), NodeKubeletSpec.of(null));
    assertThat(none.json()).isEqualTo("{}");
    assertThat(none.leaseSeconds()).isEqualTo(40);
    assertThatThrownBy(() -> KubeletSettings.of(Optional.of("- a\nb"), NodeKubeletSpec.of(null)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("kubelet.yaml");
  }

  /** Those that no heartbeat carries: hosts that join later have them. */
  @Test
  void settingsOfImagesAndChangesAreTheUsersToo() {
    String advice =
        """
        nodeStatusMaxImages: 10
        configMapAndSecretChangeDetectionStrategy: Cache
        """;
    NodePool pool =
        NodePools.pool(
            "maxNodes: 5, kubelet: {imageGCHighThresholdPercent: 70, imageGCLowThresholdPercent: 60,"
                + " nodeStatusMaxImages: -1, changeDetection: Watch}");
    assertThat(KubeletSettings.of(Optional.of(advice), pool.getSpec().kubelet()).json())
        .isEqualTo(
            "{\"configMapAndSecretChangeDetectionStrategy\":\"Watch\",\"imageGCHighThresholdPercent\":70,"
                + "\"imageGCLowThresholdPercent\":60,\"nodeStatusMaxImages\":-1}");
    assertThat(KubeletSettings.of(Optional.of(advice), NodeKubeletSpec.of(null)).json())
        .isEqualTo(
            "{\"configMapAndSecretChangeDetectionStrategy\":\"Cache\",\"nodeStatusMaxImages\":10}");
  }

  @ParameterizedTest
  @CsvSource({
    "fd00:0:0:1226::/112, fd00:0:0:1226:0:0:0:a",
    "fd00::ffff/112, fd00:0:0:0:0:0:0:a",
    "10.226.0.0/16, 10.226.0.10",
    "::/108, 0:0:0:0:0:0:0:a",
    "ffff:ffff::/108, ffff:ffff:0:0:0:0:0:a"
  })
  void theClusterDnsIsTheTenthAddressOfServices(String cidr, String address) {
    assertThat(ClusterDns.address(cidr)).isEqualTo(address);
  }

  @Test
  void theEndpointIsThatOfTheAdministratorsKubeconfig() {
    String kubeconfig =
        """
        clusters:
        - name: hosted
          cluster:
            server: "https://[2001:db8::1]:6443"
            certificate-authority-data: %s
        users:
        - name: hosted
          user: {client-key-data: secret}
        """
            .formatted(Base64.getEncoder().encodeToString(API.caPem().getBytes()));
    assertThat(ApiEndpoint.of(kubeconfig)).contains(API);
    assertThat(ApiEndpoint.of("clusters: []")).isEmpty();
    assertThat(ApiEndpoint.of("a: [")).isEmpty();
    assertThat(ApiEndpoint.of("")).isEmpty();
  }

  @Test
  void thePlanHasAllPoolsByNameAndWhatNoPodMayHave() {
    NodePool good =
        NodePools.pool("b", "2026-01-01T00:00:00Z", "maxNodes: 5, " + NodePools.ADDRESSES);
    NodePool refused =
        NodePools.pool("a", "2026-01-01T00:00:00Z", "maxNodes: 7, " + NodePools.ADDRESSES);
    ClusterPlan plan =
        ClusterPlans.of(
            NodePools.controlPlane(""),
            List.of(good, refused),
            List.of(new Taken("node w1", "2001:db8::11"), new Taken("node w1", "192.0.2.1")),
            pool -> pool == good);
    assertThat(plan.pools().stream().map(PoolPlan::pool)).containsExactly("a", "b");
    assertThat(plan.pools().getFirst().podPrefixLength()).as("only counted").isEmpty();
    assertThat(plan.pools().getLast()).isEqualTo(ClusterPlans.withAddresses(good));
    assertThat(plan.pools().getLast().podPrefixLength()).hasValue(112);
    assertThat(plan.reserved().stream().map(Reserved::what))
        .containsExactly(
            "Services",
            "the management cluster's node w1",
            "unspecified, loopback and mapped addresses",
            "link-local addresses",
            "multicast addresses");
    assertThat(plan.reserved().stream().map(each -> each.range().text()))
        .containsExactly("fd00:0:0:1226::/112", "2001:db8::11", "::/8", "fe80::/10", "ff00::/8");
  }

  @Test
  void theSecretHasTheScriptInThreeFormsAndGoesWithThePool() {
    Secret secret = secret("maxNodes: 5, " + NodePools.ADDRESSES);
    assertThat(secret.getMetadata().getName()).isEqualTo("workers-node-join");
    assertThat(secret.getMetadata().getLabels())
        .containsEntry("app.kubernetes.io/managed-by", "exaplane")
        .containsEntry("exaplane.io/node-pool", "workers");
    assertThat(secret.getMetadata().getAnnotations())
        .containsEntry(NodePoolNames.EXPIRES, "2026-01-02T00:00:00Z")
        .containsEntry(NodePoolNames.TOKEN_ID, "abcdef");
    assertThat(secret.getMetadata().getOwnerReferences())
        .singleElement()
        .satisfies(
            owner -> {
              assertThat(owner.getKind()).isEqualTo("NodePool");
              assertThat(owner.getUid()).isEqualTo("uid-workers");
              assertThat(owner.getController()).isTrue();
            });
    assertThat(secret.getData()).containsOnlyKeys("join.sh", "cloud-init.yaml", "ignition.json");
    String script = text(secret, "join.sh");
    assertThat(script)
        .startsWith("#!/bin/sh")
        .contains(
            API.server(), "abcdef.0123456789abcdef", "2001:db8:1::/48", "exaplane.io/pool=workers");
    assertThat(secret("maxNodes: 5, " + NodePools.ADDRESSES))
        .as("the same again")
        .isEqualTo(secret);
    assertThat(
            text(
                secret("maxNodes: 5, taints: [{key: a, effect: NoSchedule}], labels: {rack: r1}"),
                "join.sh"))
        .contains("\"NoSchedule\"", "rack=r1")
        .doesNotContain("2001:db8:1::/48");
  }

  private static Secret secret(String spec) {
    return JoinSecret.of(
        NodePools.pool(spec),
        NodePools.controlPlane(""),
        "1.37.2",
        API,
        KubeletSettings.of(Optional.empty(), NodeKubeletSpec.of(null)),
        new JoinSecret.Token("abcdef", "abcdef.0123456789abcdef", END));
  }

  private static String text(Secret secret, String key) {
    return new String(
        Base64.getDecoder().decode(secret.getData().get(key)), StandardCharsets.UTF_8);
  }
}
