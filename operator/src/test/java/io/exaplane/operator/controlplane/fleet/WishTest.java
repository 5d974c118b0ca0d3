// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.observe.Scheduling;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a control plane asks of the queue, by what one pass sees of it. */
class WishTest {
  /** Whether by the Deployment's deadline or by the rollout's: one that is stuck holds no place. */
  @ParameterizedTest
  @CsvSource({
    // status.rollout, why the Deployment does not progress, stuck
    "'', NewReplicaSetAvailable, false",
    "'{component: apiserver}', ReplicaSetUpdated, false",
    "'{component: apiserver, stalledAt: \"2026-01-01T00:00:00Z\"}', ReplicaSetUpdated, true",
    "'{component: apiserver, stalledAt: \"2026-01-01T00:00:00Z\", rolledBackTo: t}', ReplicaSetUpdated, true",
    "'', ProgressDeadlineExceeded, true",
  })
  void aRolloutThatStoppedIsStuck(String rollout, String progress, boolean stuck) {
    ControlPlane controlPlane = Fixtures.controlPlane("{version: 1.36.3, maxNodes: 10}");
    controlPlane.setStatus(
        Serialization.unmarshal(
            "version: {current: 1.36.3}\nrollout: %s\n".formatted(rollout),
            ControlPlaneStatus.class));
    Deployment server =
        Serialization.unmarshal(
            """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: demo-apiserver, namespace: ns, generation: 1}
            spec: {replicas: 2}
            status: {observedGeneration: 1, replicas: 3, updatedReplicas: 1, readyReplicas: 2, conditions: [{type: Progressing, status: "%s", reason: %s}]}
            """
                .formatted(progress.startsWith("Progress") ? "False" : "True", progress),
            Deployment.class);
    Wish wish =
        Wish.of(
            new Observed(
                Fixtures.sized(controlPlane),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                null,
                Optional.empty(),
                List.of(server),
                List.of(),
                new Scheduling(Optional.empty(), Optional.empty(), false)),
            false);
    assertThat(wish).isEqualTo(new Wish(true, false, true, false, stuck, true, false));
  }
}
