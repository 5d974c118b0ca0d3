// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.RotationPhase;
import io.exaplane.api.v1alpha1.RotationStatus;
import io.exaplane.api.v1alpha1.RotationWish;
import io.exaplane.operator.rotation.Outside;
import io.exaplane.operator.rotation.RotatedKey;
import io.exaplane.operator.rotation.Rotation;
import io.exaplane.operator.rotation.RotationStep.Look;
import io.exaplane.operator.rotation.Stage;
import io.exaplane.operator.status.ConditionSet;
import io.exaplane.operator.status.Verdict;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RotationCompleteConditionTest {
  private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");

  private static Rotation rotation(
      String field, Stage stage, int step, RotationWish wish, List<String> remaining) {
    return new Rotation(
        field,
        new RotatedKey(stage, step, NOW, Map.of(), Map.of()),
        new Look(wish, remaining.isEmpty(), true, true, true),
        remaining);
  }

  private static Verdict verdict(List<Rotation> rotations, RotationStatus before) {
    return verdict(rotations, before, Map.of());
  }

  private static Verdict verdict(
      List<Rotation> rotations, RotationStatus before, Map<String, String> leaders) {
    Verdict verdict =
        RotationCompleteCondition.of(
            rotations,
            RotationCompleteCondition.status(rotations, before, NOW).orElse(null),
            leaders);
    // Asserts that the next action is named.
    new ConditionSet(null, 1L, Clock.systemUTC()).set(ConditionType.RotationComplete, verdict);
    return verdict;
  }

  @ParameterizedTest
  @CsvSource({
    "SINGLE,  0, ,         ,         AsExpected,          No rotation is under way.",
    "SINGLE,  4, ,         ,         AsExpected,          Completed: ca.",
    "SINGLE,  0, Complete, ,         RotationNotPrepared, Remove the field; then set Prepare",
    "SINGLE,  0, Prepare,  demo-api, RotationPreparing,   about to begin. Still to come: demo-api.",
    "TRUSTED, 1, Prepare,  demo-api, RotationPreparing,   a second key as trusted. Still to come: demo-api.",
    "ISSUING, 2, Prepare,  demo-api, RotationPreparing,   the new key into use. Still to come: demo-api.",
    "ISSUING, 2, Prepare,  ,         RotationPrepared,    Then set the field to Complete.",
    "ISSUING, 2, Complete, ,         RotationCompleting,  the old key is about to go. No action is needed.",
    "SERVING, 3, Complete, demo-api, RotationCompleting,  servers take certificates of the new key.",
    "SINGLE,  4, Complete, demo-api, RotationCompleting,  stop trusting the old key. Still to come: demo-api.",
  })
  void saysWhoseTurnItIs(
      Stage stage, int step, RotationWish wish, String remaining, Reason reason, String words) {
    Verdict verdict =
        verdict(
            List.of(
                rotation(
                    Rotation.CA,
                    stage,
                    step,
                    wish,
                    remaining == null ? List.of() : List.of(remaining))),
            null);
    assertThat(verdict.reason()).isEqualTo(reason);
    assertThat(verdict.met()).isEqualTo(reason == Reason.AsExpected);
    assertThat(verdict.message()).contains(words);
  }

  /** Nobody counts them, so a person learns from which time on a certificate is safe. */
  @Test
  void whatEndsWithTheOldCaIsSaidBeforeItGoes() {
    List<Rotation> both =
        List.of(
            rotation(Rotation.CA, Stage.ISSUING, 2, RotationWish.Prepare, List.of()),
            rotation(
                Rotation.SERVICE_ACCOUNT_KEY, Stage.ISSUING, 2, RotationWish.Prepare, List.of()));
    String message = verdict(both, null).message();
    assertThat(message)
        .contains("Complete ends each one that was issued before 2026-06-01T00:00:00Z.")
        .containsOnlyOnce("certificates of kubelets and persons");
    RotationStatus told = RotationCompleteCondition.status(both, null, NOW).orElseThrow();
    assertThat(RotationCompleteCondition.of(both, told, Map.of()).message())
        .as("the time stays")
        .isEqualTo(message);
  }

  private static Rotation outside(RotationWish wish, boolean overridden) {
    Outside outside =
        new Outside(List.of("2 of 5 nodes of NodePool edge"), "3f2a9c0177aabbcc", overridden);
    return new Rotation(
        Rotation.CA,
        new RotatedKey(Stage.ISSUING, 2, NOW, Map.of(), Map.of()),
        new Look(wish, true, true, true, true, outside.follows()),
        List.of(),
        outside);
  }

  @Test
  void completeThatWaitsForNodesNamesThemAndTheWayOut() {
    List<Rotation> held = List.of(outside(RotationWish.Complete, false));
    Verdict verdict = verdict(held, null);
    assertThat(verdict.reason()).isEqualTo(Reason.RotationHeld);
    assertThat(verdict.message())
        .contains("2 of 5 nodes of NodePool edge", "status.authorities")
        .contains("exaplane.io/rotation-override=3f2a9c0177aabbcc");
    RotationStatus.Key told = RotationCompleteCondition.status(held, null, NOW).orElseThrow().ca();
    assertThat(told.phase()).isEqualTo(RotationPhase.Prepared);
    assertThat(told.remaining()).containsExactly("2 of 5 nodes of NodePool edge");
    assertThat(verdict(List.of(outside(RotationWish.Complete, true)), null).reason())
        .isEqualTo(Reason.RotationCompleting);
    Verdict prepared = verdict(List.of(outside(RotationWish.Prepare, false)), null);
    assertThat(prepared.reason()).isEqualTo(Reason.RotationPrepared);
    assertThat(prepared.message()).contains("still to come: 2 of 5 nodes of NodePool edge");
  }

  @Test
  void theLastThingIsWhatTheHostedClusterLists() {
    Rotation last =
        new Rotation(
            Rotation.CA,
            new RotatedKey(Stage.SINGLE, 4, NOW, Map.of(), Map.of()),
            new Look(RotationWish.Complete, true, true, true, false),
            List.of());
    Verdict verdict = verdict(List.of(last), null);
    assertThat(verdict.reason()).isEqualTo(Reason.RotationCompleting);
    assertThat(verdict.message())
        .contains("Still to come: ConfigMap kube-system/extension-apiserver-authentication");
    RotationStatus.Key told =
        RotationCompleteCondition.status(List.of(last), null, NOW).orElseThrow().ca();
    assertThat(told.phase()).isEqualTo(RotationPhase.Completing);
    assertThat(told.remaining()).hasSize(1);
  }

  @Test
  void ofTwoTheMoreUrgentGivesTheReasonAndBothAreNamed() {
    Verdict verdict =
        verdict(
            List.of(
                rotation(Rotation.CA, Stage.ISSUING, 2, RotationWish.Prepare, List.of()),
                rotation(
                    Rotation.SERVICE_ACCOUNT_KEY,
                    Stage.TRUSTED,
                    1,
                    RotationWish.Prepare,
                    List.of())),
            null);
    assertThat(verdict.reason()).isEqualTo(Reason.RotationPreparing);
    assertThat(verdict.message())
        .contains("spec.pki.rotation.ca: the new key is in use")
        .contains("spec.pki.rotation.serviceAccountKey: components take a second key");
  }

  @Test
  void statusKeepsThePhaseAndItsTime() {
    RotationStatus before =
        new RotationStatus(
            new RotationStatus.Key(RotationPhase.Prepared, "2026-05-01T00:00:00Z", null), null);
    List<Rotation> upgraded =
        List.of(rotation(Rotation.CA, Stage.ISSUING, 2, RotationWish.Prepare, List.of("demo-api")));
    assertThat(RotationCompleteCondition.status(upgraded, before, NOW)).contains(before);
    assertThat(RotationCompleteCondition.status(List.of(), before, NOW))
        .as("nobody looked")
        .contains(before);
    List<Rotation> completes =
        List.of(
            rotation(Rotation.CA, Stage.SERVING, 3, RotationWish.Complete, List.of("demo-api")));
    assertThat(RotationCompleteCondition.status(completes, before, NOW).orElseThrow().ca())
        .isEqualTo(
            new RotationStatus.Key(RotationPhase.Completing, NOW.toString(), List.of("demo-api")));
    assertThat(
            RotationCompleteCondition.status(
                List.of(rotation(Rotation.CA, Stage.SINGLE, 0, null, List.of())), null, NOW))
        .isEmpty();
  }

  /** Whoever set the field would end the task without success. */
  @Test
  void aTaskThatLeadsIsNamedAndTheFieldIsLeftAlone() {
    List<Rotation> prepared =
        List.of(rotation(Rotation.CA, Stage.ISSUING, 2, RotationWish.Prepare, List.of()));
    assertThat(verdict(prepared, null, Map.of(Rotation.CA, "rotate-x")).message())
        .contains("ControlPlaneTask rotate-x leads this rotation")
        .contains("No action is needed on the field.")
        .doesNotContain("set the field");
    assertThat(verdict(prepared, null, Map.of(Rotation.SERVICE_ACCOUNT_KEY, "other")).message())
        .contains("Then set the field to Complete.");
  }
}
