// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.api.v1alpha1.RotationPhase;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.pki.Authorities;
import io.exaplane.operator.pki.CertificateAuthority;
import io.exaplane.operator.pki.KeyAndCertificate;
import io.exaplane.operator.pki.NodeAuthorities;
import io.exaplane.operator.rotation.Outside;
import io.exaplane.operator.rotation.RotatedKey;
import io.exaplane.operator.rotation.Stage;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Whom the removal of the old CA would cut off. */
class FollowingNodesTest {
  private static final Map<String, String> NEW = files("new");
  private static final Map<String, String> OLD = files("old");
  private static final RotatedKey KEY = new RotatedKey(Stage.ISSUING, 2, Instant.EPOCH, NEW, OLD);
  private static final String ID =
      NodeAuthorities.of(KEY, RotationPhase.Prepared).orElseThrow().id();

  private final ControlPlane controlPlane = Fixtures.controlPlane("{version: 1.37.2, maxNodes: 9}");

  private static Map<String, String> files(String name) {
    KeyAndCertificate ca = CertificateAuthority.create(name, Clock.systemUTC());
    return Map.of(
        Authorities.CERTIFICATE_FILE, ca.certificatePem(), Authorities.KEY_FILE, ca.keyPem());
  }

  private static NodePool pool(String name, String status) {
    return Serialization.unmarshal(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: NodePool
        metadata: {name: %s, namespace: ns}
        spec: {controlPlaneRef: {name: demo}, maxNodes: 5}
        status: %s
        """
            .formatted(name, status.replace("ID", ID)),
        NodePool.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                                                                                                       | the nodes of NodePool edge, which are not counted yet
          {nodes: {registered: 0, ready: 0, joining: 0, failed: 0, summary: 0/0}}                                  | ''
          {nodes: {registered: 5, ready: 5, joining: 0, failed: 0, summary: 5/5}}                                  | the nodes of NodePool edge, which are not counted yet
          {authorities: {id: '0123456789abcdef', followingNodes: 5, otherNodes: 0}}                                | the nodes of NodePool edge, which are not counted yet
          {authorities: {id: 'ID', followingNodes: 3, otherNodes: 2}}                                              | 2 of 5 nodes of NodePool edge
          {authorities: {id: 'ID', followingNodes: 5, otherNodes: 0}}                                              | ''
          """)
  void aPoolIsBehindUntilEachOfItsNodesFollows(String status, String behind) {
    Outside outside = FollowingNodes.of(controlPlane, KEY, List.of(pool("edge", status)));
    assertThat(String.join(", ", outside.behind())).isEqualTo(behind);
    assertThat(outside.follows()).isEqualTo(behind.isEmpty());
  }

  @Test
  void poolsAreNamedInOrder() {
    List<NodePool> pools = List.of(pool("b", "{}"), pool("a", "{}"));
    assertThat(FollowingNodes.of(controlPlane, KEY, pools).behind())
        .first()
        .asString()
        .contains("NodePool a");
    assertThat(FollowingNodes.of(controlPlane, KEY, List.of()).follows()).isTrue();
  }

  /** One of an earlier rotation says nothing of this one. */
  @Test
  void aPersonGoesOnWithoutThemForThisRotationAlone() {
    List<NodePool> pools = List.of(pool("edge", "{}"));
    controlPlane.getMetadata().setAnnotations(Map.of(Names.ROTATION_OVERRIDE, "yes"));
    assertThat(FollowingNodes.of(controlPlane, KEY, pools).follows()).isFalse();
    controlPlane.getMetadata().setAnnotations(Map.of(Names.ROTATION_OVERRIDE, ID));
    Outside outside = FollowingNodes.of(controlPlane, KEY, pools);
    assertThat(outside.follows()).isTrue();
    assertThat(outside.behind()).isNotEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = "ISSUING", mode = EnumSource.Mode.EXCLUDE)
  void atOtherStepsNobodyIsWaitedFor(Stage stage) {
    RotatedKey key =
        new RotatedKey(stage, 3, Instant.EPOCH, NEW, stage == Stage.SINGLE ? Map.of() : OLD);
    assertThat(FollowingNodes.of(controlPlane, key, List.of(pool("edge", "{}"))))
        .isEqualTo(Outside.NONE);
  }
}
