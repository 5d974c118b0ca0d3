// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.operator.controlplane.Fixtures;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SizeTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  @Test
  void aControlPlaneThatIsNotThereYetIsMadeAsAsked() {
    assertThat(Size.of(asked(200, made(100, null, null)), false, false, NOON))
        .isEqualTo(new Size(200, Optional.empty()));
    assertThat(Size.of(asked(200, null), true, false, NOON))
        .as("made before sizes were kept")
        .isEqualTo(new Size(200, Optional.empty()));
  }

  @Test
  void growthWaits30SecondsAndShrinkageTenMinutes() {
    assertThat(Size.of(asked(200, made(100, null, null)), true, false, NOON))
        .isEqualTo(change(100, 200, NOON.plusSeconds(30)));
    assertThat(Size.of(asked(50, made(100, null, null)), true, false, NOON.plusMillis(1)))
        .as("whole seconds, never earlier")
        .isEqualTo(change(100, 50, NOON.plusSeconds(601)));
  }

  @Test
  void itCountsWhenItHasStayed() {
    ControlPlane waiting = asked(200, made(100, 200, NOON));
    assertThat(Size.of(waiting, true, false, NOON.minusSeconds(1)))
        .isEqualTo(change(100, 200, NOON));
    assertThat(Size.of(waiting, true, false, NOON)).isEqualTo(new Size(200, Optional.empty()));
    assertThat(Size.of(waiting, true, true, NOON))
        .as("while nothing may be changed")
        .isEqualTo(change(100, 200, NOON));
  }

  @Test
  void aChangeBackIsNoChangeAndAnotherOneBeginsAnew() {
    assertThat(Size.of(asked(100, made(100, 200, NOON)), true, false, NOON.plusSeconds(99)))
        .isEqualTo(new Size(100, Optional.empty()));
    assertThat(Size.of(asked(300, made(100, 200, NOON)), true, false, NOON))
        .isEqualTo(change(100, 300, NOON.plusSeconds(30)));
  }

  @Test
  void aShorterDelayCountsForWhatIsWaiting() {
    ControlPlane impatient =
        Fixtures.controlPlane("{version: 1.36.3, maxNodes: 50, sizing: {shrinkDelay: 5s}}");
    impatient.setStatus(made(100, 50, NOON.plusSeconds(600)));
    assertThat(Size.of(impatient, true, false, NOON))
        .isEqualTo(change(100, 50, NOON.plusSeconds(5)));
    ControlPlane now =
        Fixtures.controlPlane("{version: 1.36.3, maxNodes: 50, sizing: {shrinkDelay: 0s}}");
    now.setStatus(made(100, null, null));
    assertThat(Size.of(now, true, false, NOON)).isEqualTo(new Size(50, Optional.empty()));
  }

  private static Size change(int from, int to, Instant at) {
    return new Size(from, Optional.of(new Size.Change(to, at)));
  }

  private static ControlPlane asked(int nodes, ControlPlaneStatus status) {
    ControlPlane controlPlane =
        Fixtures.controlPlane("{version: 1.36.3, maxNodes: %d}".formatted(nodes));
    controlPlane.setStatus(status);
    return controlPlane;
  }

  private static ControlPlaneStatus made(int nodes, Integer pending, Instant at) {
    return new ControlPlaneStatus(
        1L,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        new ControlPlaneStatus.Sizing(nodes, pending, at == null ? null : at.toString(), null),
        null,
        null);
  }
}
