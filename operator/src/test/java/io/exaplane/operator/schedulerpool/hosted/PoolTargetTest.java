// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.api.v1alpha1.SchedulerPoolSpec;
import io.exaplane.operator.schedulerpool.Pools;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PoolTargetTest {
  private static final ControlPlane RUNS =
      Serialization.unmarshal(
          """
          apiVersion: exaplane.io/v1alpha1
          kind: ControlPlane
          metadata: {name: demo, namespace: ns, uid: u}
          spec: {version: 1.36.4, maxNodes: 5000, sizing: {podsPerNode: 10}}
          status: {version: {current: 1.36.3}, sizing: {maxNodes: 100}}
          """,
          ControlPlane.class);

  private static Secret secret(String name, String kubeconfig) {
    return new SecretBuilder()
        .withNewMetadata()
        .withName(name)
        .endMetadata()
        .withData(Map.of("kubeconfig", kubeconfig))
        .build();
  }

  @Test
  void aControlPlanesPoolComesAsItsSchedulerAndForTheSizeThatCounts() {
    Secret secret = secret("demo-scheduler-pki", "eA==");
    PoolTarget target =
        PoolTarget.find(
                Pools.pool(""), Optional.of(RUNS), Map.of("demo-scheduler-pki", secret)::get)
            .target()
            .orElseThrow();
    assertThat(target.secret()).isEqualTo("demo-scheduler-pki");
    assertThat(target.version()).as("what runs, not what is asked for").contains("1.36.3");
    assertThat(target.nodes()).isEqualTo(100);
    assertThat(target.pods()).isEqualTo(1000);
    PoolTarget renewed =
        PoolTarget.find(
                Pools.pool("maxNodes: 7"),
                Optional.of(RUNS),
                Map.of("demo-scheduler-pki", secret("demo-scheduler-pki", "eQ=="))::get)
            .target()
            .orElseThrow();
    assertThat(renewed.credentialsEpoch()).isNotEqualTo(target.credentialsEpoch());
    assertThat(renewed.nodes()).isEqualTo(7);
  }

  @Test
  void whatIsMissingIsNamed() {
    assertThat(PoolTarget.find(Pools.pool(""), Optional.empty(), _ -> null).missing())
        .get()
        .extracting(PoolTarget.Missing::reason, PoolTarget.Missing::invalid)
        .containsExactly(Reason.ControlPlaneMissing, true);
    ControlPlane young = Serialization.clone(RUNS);
    young.setStatus(null);
    assertThat(PoolTarget.find(Pools.pool(""), Optional.of(young), _ -> null).missing())
        .get()
        .extracting(PoolTarget.Missing::reason, PoolTarget.Missing::invalid)
        .containsExactly(Reason.WaitingForControlPlane, false);
    assertThat(PoolTarget.find(Pools.pool(""), Optional.of(RUNS), _ -> null).missing())
        .get()
        .extracting(PoolTarget.Missing::reason)
        .isEqualTo(Reason.WaitingForCertificates);
    SchedulerPool own = Pools.pool("");
    own.setSpec(
        Serialization.unmarshal(
            "kubeconfigSecretRef: {name: k}\nmaxNodes: 7\n", SchedulerPoolSpec.class));
    assertThat(PoolTarget.find(own, Optional.empty(), _ -> null).missing())
        .get()
        .extracting(PoolTarget.Missing::reason, PoolTarget.Missing::invalid)
        .containsExactly(Reason.KubeconfigSecretMissing, true);
  }

  /** Whoever may make pools names a Secret, and the image that reads it. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "exaplane.io/scheduler-pool=p,     -,             true",
        "exaplane.io/scheduler-pool=other, -,             false",
        "-,                                -,             false",
        "exaplane.io/control-plane=demo,   -,             false",
        "exaplane.io/scheduler-pool=p,     ControlPlane,  false",
        "exaplane.io/scheduler-pool=p,     SchedulerPool, false",
      })
  void aKubeconfigOfAnothersIsNotRead(String label, String owner, boolean isRead) {
    SchedulerPool pool = Pools.pool("");
    pool.getMetadata().setName("p");
    pool.setSpec(
        Serialization.unmarshal(
            "kubeconfigSecretRef: {name: k}\nmaxNodes: 7\n", SchedulerPoolSpec.class));
    pool.setStatus(null);
    Secret secret = secret("k", "eA==");
    if (label != null) {
      secret.getMetadata().setLabels(Map.of(label.split("=")[0], label.split("=")[1]));
    }
    if (owner != null) {
      secret
          .getMetadata()
          .setOwnerReferences(
              List.of(
                  new OwnerReferenceBuilder()
                      .withApiVersion("exaplane.io/v1alpha1")
                      .withKind(owner)
                      .withName("demo")
                      .build()));
    }
    var found = PoolTarget.find(pool, Optional.empty(), Map.of("k", secret)::get);
    assertThat(found.target().isPresent()).isEqualTo(isRead);
    assertThat(found.missing().map(PoolTarget.Missing::reason).orElse(null))
        .isEqualTo(isRead ? null : Reason.KubeconfigSecretOfAnother);
  }
}
