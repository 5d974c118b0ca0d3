// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.dependent;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.operator.outcome.Refusal;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Lines 31, 37: an autoscaler or a tool answers each write, and nobody writes for ever. */
class ContestedWritesTest {
  private final AtomicLong nowNs = new AtomicLong();
  private final ContestedWrites writes = new ContestedWrites(nowNs::get);
  private final Deployment wanted = deployment(2);
  private final Deployment scaled = deployment(5);

  @Test
  void aFightIsAWriteAMinuteAndIsToldAllTheTime() {
    int written = 0;
    for (int second = 0; second < 600; second += 2) {
      nowNs.set(Duration.ofSeconds(second).toNanos());
      boolean writes = this.writes.rests(scaled, wanted).isEmpty();
      boolean told = !writes || this.writes.note(scaled, wanted).isPresent();
      written += writes ? 1 : 0;
      assertThat(told).as("told at %d s", second).isEqualTo(second >= 8);
    }
    assertThat(written).isBetween(ContestedWrites.ROUNDS + 8, ContestedWrites.ROUNDS + 10);
  }

  @Test
  void whoFightsIsNamed() {
    Refusal told = fight().orElseThrow();
    assertThat(told.passes()).isFalse();
    assertThat(told.text())
        .isEqualTo(
            "Field manager hpa refuses to keep the operator's values in Deployment d: 5 writes in"
                + " a row were taken back, so the operator writes once a minute. Stop the"
                + " autoscaler, policy or tool that writes this object, or set the value in the"
                + " spec.");
  }

  /** A rollout goes on by one step after the other. */
  @Test
  void anotherWishIsNoPartOfAFight() {
    fight();
    assertThat(writes.rests(scaled, deployment(3))).isEmpty();
    for (int replicas = 3; replicas < 30; replicas++) {
      assertThat(writes.note(scaled, deployment(replicas))).isEmpty();
    }
  }

  /** A person who changes something now and then is answered at once. */
  @Test
  void writesThatAreFarApartAreNoFight() {
    for (int round = 0; round < 20; round++) {
      nowNs.addAndGet(ContestedWrites.ROW.plusSeconds(1).toNanos());
      assertThat(writes.rests(scaled, wanted)).isEmpty();
      assertThat(writes.note(scaled, wanted)).isEmpty();
    }
  }

  private Optional<Refusal> fight() {
    Optional<Refusal> told = Optional.empty();
    for (int round = 0; round < ContestedWrites.ROUNDS; round++) {
      told = writes.note(scaled, wanted);
    }
    return told;
  }

  private static Deployment deployment(int replicas) {
    return Serialization.unmarshal(
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: d
          namespace: ns
          uid: u
          managedFields:
          - {manager: controlplane, operation: Apply, time: '2026-01-01T00:00:03Z'}
          - {manager: kube-controller-manager, operation: Update, subresource: status, time: '2026-01-01T00:00:04Z'}
          - {manager: hpa, operation: Update, subresource: scale, time: '2026-01-01T00:00:02Z'}
          - {manager: kubectl, operation: Update, time: '2026-01-01T00:00:01Z'}
        spec: {replicas: %d}
        """
            .formatted(replicas),
        Deployment.class);
  }
}
