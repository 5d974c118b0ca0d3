// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.MaintenanceSpec;
import io.exaplane.api.v1alpha1.RolloutTurn;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.bundle.MaintenanceWindow;
import io.exaplane.operator.bundle.Pins;
import io.exaplane.operator.bundle.Update;
import io.exaplane.operator.controlplane.fleet.Turn;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a control plane is looked at again. */
class NextLookTest {
  @Test
  void aRefusedFirstStatusIsNotAskedForInALoop() {
    Duration soon = Duration.ofSeconds(5);
    assertThat(NextLook.first(true, Optional.of(soon))).isLessThan(Duration.ofSeconds(1));
    assertThat(NextLook.first(false, Optional.of(soon))).isEqualTo(soon);
    assertThat(NextLook.first(false, Optional.empty())).isEqualTo(Duration.ofSeconds(30));
  }

  /** The queue grants a turn, and wants to see it used at once; nobody could write the grant. */
  @Test
  void aRefusedTurnIsNotAskedForInALoop() {
    Optional<Turn> granted =
        Optional.of(
            new Turn(
                new RolloutTurn(RolloutTurn.State.Rolling, "2026-11-01T00:00:00Z", null),
                false,
                Optional.of(Duration.ofMillis(1)),
                10));
    assertThat(NextLook.turn(true, granted)).contains(Duration.ofMillis(1));
    assertThat(NextLook.turn(false, granted)).isEmpty();
    assertThat(NextLook.turn(true, Optional.empty())).isEmpty();
  }

  /** One that stopped waits for a person, also while its bundle has not moved to the end. */
  @ParameterizedTest
  @CsvSource({
    // the bundle is under way, the rollout moves, the rollout has stopped: looked at again soon
    "false, false, false, false",
    "true,  false, false, true",
    "false, true,  false, true",
    "true,  true,  false, true",
    "false, false, true,  false",
    "true,  false, true,  false",
  })
  void aStoppedRolloutIsNotLookedAtForItsOwnSake(
      boolean bundle, boolean moves, boolean hasStopped, boolean again) {
    assertThat(NextLook.moves(bundle, moves, hasStopped).isPresent()).isEqualTo(again);
  }

  /** A new operator changes the pods of a store alone: its window is the control plane's. */
  @Test
  void aWindowIsAwaitedForAStoreToo() {
    Instant now = Instant.parse("2026-11-27T12:00:00Z");
    Update update =
        new Update(
            new Pins.Owner(
                "2-b",
                null,
                MaintenanceWindow.of(new MaintenanceSpec("0 2 * * *", "10m", null), now),
                "2-b",
                "m",
                "demo-bundle"),
            "2-b",
            false,
            false,
            false,
            List.of(),
            "2-b",
            List.of());
    StoreShard waits =
        Serialization.unmarshal(
            """
            apiVersion: exaplane.io/v1alpha1
            kind: StoreShard
            metadata: {name: demo-default}
            status: {conditions: [{type: OperatorUpdatePending, status: "True"}]}
            """,
            StoreShard.class);
    assertThat(NextLook.window(Optional.of(update), List.of(waits), now))
        .contains(Duration.ofHours(14).plusSeconds(1));
    assertThat(NextLook.window(Optional.of(update), List.of(), now)).isEmpty();
    assertThat(NextLook.window(Optional.empty(), List.of(waits), now)).isEmpty();
  }
}
