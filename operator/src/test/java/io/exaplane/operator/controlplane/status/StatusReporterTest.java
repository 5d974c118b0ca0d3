// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.LocalRef;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.RolloutTurn;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.observe.Scheduling;
import io.exaplane.operator.controlplane.sizing.Sized;
import io.exaplane.operator.outcome.Problem;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What status says of a size, and of what the hosted cluster does not take. */
class StatusReporterTest {
  private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
  private final ControlPlane controlPlane =
      Fixtures.controlPlane("{version: 1.36.3, maxNodes: 2000}");

  @Test
  void anObjectThatTheHostedApiRefusesIsDegraded() {
    Optional<String> refused = Optional.of("admission webhook \"policy\" denied the request");
    assertThat(condition(status(Fixtures.sized(controlPlane), refused), ConditionType.Degraded))
        .satisfies(
            degraded -> {
              assertThat(degraded.status()).isEqualTo(Condition.TRUE);
              assertThat(degraded.message()).contains("refuses an object", "webhook \"policy\"");
            });
    assertThat(
            condition(
                    status(Fixtures.sized(controlPlane), Optional.empty()), ConditionType.Degraded)
                .status())
        .isEqualTo(Condition.FALSE);
  }

  @Test
  void theSizeAndTheConfigMapThatSaysWhyAreShown() {
    ControlPlaneStatus status = status(Fixtures.sized(controlPlane), Optional.empty());
    assertThat(status.sizing())
        .isEqualTo(new ControlPlaneStatus.Sizing(2_000, null, null, new LocalRef("demo-tuning")));
    assertThat(condition(status, ConditionType.SizingValid).status()).isEqualTo(Condition.TRUE);
    assertThat(status.stores().items())
        .extracting(store -> store.resources() == null ? 0 : store.resources().size())
        .containsExactly(0, 2);
  }

  @Test
  void whatWasSaidOfASizeStaysWhileTheSpecIsRefused() {
    controlPlane.setStatus(status(Fixtures.sized(controlPlane), Optional.empty()));
    Sized refused =
        Sized.of(
            controlPlane,
            false,
            true,
            new Sized.Before(
                List.of(), Map.of(), Optional.empty(), Optional.empty(), List::of, Optional::empty),
            Instant.EPOCH);
    ControlPlaneStatus status = status(refused, Optional.empty());
    assertThat(condition(status, ConditionType.SizingValid).status()).isEqualTo(Condition.TRUE);
    assertThat(status.sizing().configMapRef()).isEqualTo(new LocalRef("demo-tuning"));
  }

  /** A right is lost, or the API server answers now and then: nobody knows better. */
  @Test
  void aSpecWhoseRulesCannotBeLookedAtStaysWhatItWas() {
    Sized sized = Fixtures.sized(controlPlane);
    Problem broken =
        Problem.of(Reason.StorageClassMissing, "StorageClass a does not exist. Create it.");
    controlPlane.setStatus(reporter(sized, Optional.empty()).status(Optional.of(broken), false));
    StatusReporter reporter = reporter(sized, Optional.empty());
    reporter.note(Optional.empty(), false);
    ControlPlaneStatus status = reporter.status(Optional.empty(), false);
    for (ConditionType type :
        List.of(ConditionType.ConfigurationValid, ConditionType.Progressing)) {
      assertThat(condition(status, type)).isEqualTo(condition(controlPlane.getStatus(), type));
    }
    assertThat(condition(status, ConditionType.ConfigurationValid).message())
        .contains("StorageClass a");
    assertThat(reporter.changes()).isEmpty();
    assertThat(
            condition(status(sized, Optional.empty()), ConditionType.ConfigurationValid).status())
        .as("once they can")
        .isEqualTo(Condition.TRUE);
  }

  @Test
  void oneThatWaitsForOthersSaysSoAndHowMany() {
    RolloutTurn place = new RolloutTurn(RolloutTurn.State.Waiting, "2026-11-01T00:00:00Z", 20);
    StatusReporter reporter = reporter(Fixtures.sized(controlPlane), Optional.empty());
    reporter.turn(place, 10);
    ControlPlaneStatus status = reporter.status(Optional.empty(), false);
    assertThat(status.turn()).isEqualTo(place);
    Condition progressing = condition(status, ConditionType.Progressing);
    assertThat(progressing.status()).isEqualTo(Condition.TRUE);
    assertThat(progressing.reason()).isEqualTo(Reason.WaitingForTurn.name());
    assertThat(progressing.message()).contains("10 roll at once", "place 20");
  }

  private static ControlPlaneStatus status(Sized sized, Optional<String> refused) {
    return reporter(sized, refused).status(Optional.empty(), false);
  }

  /** A pass that waited for something else, or an operator that was away. */
  @Test
  void anOutageThatWasOverBeforeAnybodyLookedIsToldOnce() {
    controlPlane.setStatus(
        Serialization.unmarshal(
            "conditions: [{type: StoresReady, status: \"True\", reason: AsExpected, message: any, lastTransitionTime: \"2026-11-26T10:00:00Z\"}]",
            ControlPlaneStatus.class));
    List<StoreShard> shards =
        List.of(shard("default", "2026-11-26T10:05:07Z"), shard("events", "2026-11-26T09:00:00Z"));
    StatusReporter reporter = reporter(Fixtures.sized(controlPlane), Optional.empty(), shards);
    ControlPlaneStatus status = reporter.status(Optional.empty(), false);
    Condition ready = condition(status, ConditionType.StoresReady);
    assertThat(ready.status()).isEqualTo(Condition.TRUE);
    assertThat(ready.lastTransitionTime()).isEqualTo("2026-11-26T10:05:07Z");
    Instant begun = Instant.parse("2026-11-26T10:00:00Z");
    assertThat(reporter.outage(begun).orElseThrow().message())
        .contains("demo-default (ready again");
    assertThat(reporter.outage(begun.plus(Duration.ofHours(1)))).isEmpty();
    controlPlane.setStatus(status);
    StatusReporter next = reporter(Fixtures.sized(controlPlane), Optional.empty(), shards);
    assertThat(condition(next.status(Optional.empty(), false), ConditionType.StoresReady))
        .isEqualTo(ready);
    assertThat(next.outage(begun)).isEmpty();
  }

  private static StoreShard shard(String store, String readySince) {
    return Serialization.unmarshal(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: StoreShard
        metadata: {name: demo-%s, namespace: ns, creationTimestamp: "2026-11-26T08:00:00Z"}
        spec: {engine: Memory}
        status: {conditions: [{type: Ready, status: "True", reason: AsExpected, message: any, lastTransitionTime: "%s"}]}
        """
            .formatted(store, readySince),
        StoreShard.class);
  }

  private static StatusReporter reporter(Sized sized, Optional<String> refused) {
    return reporter(sized, refused, List.of());
  }

  private static StatusReporter reporter(
      Sized sized, Optional<String> refused, List<StoreShard> shards) {
    Observed observed =
        new Observed(
            sized,
            shards,
            Optional.empty(),
            Optional.of(new ControlPlaneStatus.Endpoint("fd00::1", 6443)),
            Optional.empty(),
            Fixtures.nothingIssued(),
            Optional.empty(),
            List.of(),
            List.of(),
            new Scheduling(Optional.empty(), Optional.empty(), false));
    return new StatusReporter(observed, Optional.empty(), refused, CLOCK);
  }

  private static Condition condition(ControlPlaneStatus status, ConditionType type) {
    return status.conditions().stream()
        .filter(condition -> condition.type().equals(type.name()))
        .findFirst()
        .orElseThrow();
  }
}
