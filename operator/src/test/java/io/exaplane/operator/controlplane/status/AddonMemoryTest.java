// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.AddonStatus;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.operator.controlplane.Fixtures;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A source that was removed is known by the status alone: no other part of it may lose that. */
class AddonMemoryTest {
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-01-01T12:00:00Z"), ZoneOffset.UTC);

  private final List<AddonStatus> addons =
      List.of(Serialization.unmarshal("name: a\nprune: Delete", AddonStatus.class));
  private final ControlPlaneStatus status =
      Serialization.unmarshal("version: {current: 1.36.3}", ControlPlaneStatus.class)
          .withAddons(addons);

  @Test
  void aPassThatFailsKeepsIt() {
    ControlPlane controlPlane = Fixtures.controlPlane("{version: 1.36.3, maxNodes: 10}");
    controlPlane.setStatus(status);
    assertThat(LifecycleStatus.removing(controlPlane, List.of(), CLOCK).status().addons())
        .isEqualTo(addons);
  }

  @Test
  void eachPartOfTheStatusKeepsIt() {
    assertThat(
            List.of(
                status.withRestart(null),
                status.withGuard(null),
                status.withRollout(null),
                status.withTurn(null),
                status.withRoutes(null),
                status.withNodes(null),
                status.withRotation(null)))
        .extracting(ControlPlaneStatus::addons)
        .containsOnly(addons);
  }
}
