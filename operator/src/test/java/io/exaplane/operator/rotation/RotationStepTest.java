// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.rotation;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.RotationPhase;
import io.exaplane.api.v1alpha1.RotationWish;
import io.exaplane.operator.rotation.RotationStep.Look;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RotationStepTest {
  private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");
  private static final List<String> NAMES = List.of("k");

  private static RotatedKey key(Stage stage, int step) {
    return new RotatedKey(
        stage, step, NOW, Map.of("k", "a"), stage == Stage.SINGLE ? Map.of() : Map.of("k", "b"));
  }

  private static Look look(RotationWish wish, boolean settled, boolean recorded, boolean apart) {
    return new Look(wish, settled, recorded, apart, true);
  }

  @ParameterizedTest
  @CsvSource({
    // stage | step | wish | settled | recorded | servers apart | next
    "SINGLE,  0, ,         true,  true,  true,  ",
    "SINGLE,  0, Prepare,  true,  true,  true,  TRUSTED",
    "SINGLE,  0, Prepare,  false, true,  true,  ",
    "SINGLE,  0, Prepare,  true,  false, true,  ",
    "SINGLE,  0, Complete, true,  true,  true,  ",
    "SINGLE,  4, Complete, true,  true,  true,  ",
    "SINGLE,  4, ,         true,  true,  true,  ",
    "SINGLE,  4, Prepare,  true,  true,  true,  TRUSTED",
    "TRUSTED, 1, Prepare,  true,  true,  true,  ISSUING",
    "TRUSTED, 1, Prepare,  false, true,  true,  ",
    "TRUSTED, 1, ,         true,  true,  true,  ISSUING",
    "ISSUING, 2, Prepare,  true,  true,  true,  ",
    "ISSUING, 2, ,         true,  true,  true,  ",
    "ISSUING, 2, Complete, false, true,  true,  ",
    "ISSUING, 2, Complete, true,  false, true,  ",
    "ISSUING, 2, Complete, true,  true,  true,  SERVING",
    "ISSUING, 2, Complete, true,  true,  false, SINGLE",
    "SERVING, 3, Complete, false, true,  true,  ",
    "SERVING, 3, Complete, true,  true,  true,  SINGLE",
    // Whoever began to complete goes on: two keys are no state to stay in.
    "SERVING, 3, Prepare,  true,  true,  true,  SINGLE",
  })
  void theNextStep(
      Stage stage,
      int step,
      RotationWish wish,
      boolean settled,
      boolean recorded,
      boolean apart,
      Stage next) {
    var made =
        RotationStep.next(
            key(stage, step), look(wish, settled, recorded, apart), () -> Map.of("k", "c"), NOW);
    assertThat(made.map(RotatedKey::stage).orElse(null)).isEqualTo(next);
    made.ifPresent(key -> assertThat(key.step()).isEqualTo(step + 1));
  }

  @ParameterizedTest
  @CsvSource({
    // stage | step | wish | settled | before | phase
    "SINGLE,  0, ,         true,  ,           ",
    "SINGLE,  0, Complete, true,  ,           ",
    "SINGLE,  0, Prepare,  false, ,           Preparing",
    "TRUSTED, 1, Prepare,  true,  Preparing,  Preparing",
    "ISSUING, 2, Prepare,  false, Preparing,  Preparing",
    "ISSUING, 2, Prepare,  true,  Preparing,  Prepared",
    // An upgrade replaces pods: what was reached stays.
    "ISSUING, 2, Prepare,  false, Prepared,   Prepared",
    "ISSUING, 2, Complete, false, Prepared,   Completing",
    "SERVING, 3, Complete, true,  Completing, Completing",
    "SINGLE,  4, Complete, false, Completing, Completing",
    "SINGLE,  4, Complete, true,  Completing, Completed",
    "SINGLE,  4, Complete, false, Completed,  Completed",
    "SINGLE,  4, ,         false, Completed,  Completed",
    "SINGLE,  4, Prepare,  false, Completed,  Preparing",
  })
  void thePhase(
      Stage stage,
      int step,
      RotationWish wish,
      boolean settled,
      RotationPhase before,
      RotationPhase phase) {
    assertThat(
            RotationStep.phase(key(stage, step), look(wish, settled, true, true), before)
                .orElse(null))
        .isEqualTo(phase);
  }

  /** Nodes that do not know the new CA would lose the API. */
  @Test
  void theOldKeyStaysAsLongAsNodesDoNotFollow() {
    Look held = new Look(RotationWish.Complete, true, true, true, true, false);
    assertThat(RotationStep.next(key(Stage.ISSUING, 2), held, Map::of, NOW)).isEmpty();
    assertThat(RotationStep.phase(key(Stage.ISSUING, 2), held, RotationPhase.Prepared))
        .contains(RotationPhase.Prepared);
    assertThat(RotationStep.next(key(Stage.TRUSTED, 1), held, Map::of, NOW))
        .as("what adds a key waits for nobody")
        .isPresent();
    assertThat(RotationStep.next(key(Stage.SERVING, 3), held, Map::of, NOW))
        .as("what began to complete goes on")
        .isPresent();
  }

  /** A server that ends late may have put the old CA back among those of aggregated APIs. */
  @ParameterizedTest
  @CsvSource({
    "SINGLE, 4, Completing, Completing",
    "SINGLE, 4, , Completing",
    // An operator that has just begun has not looked yet.
    "SINGLE, 4, Completed, Completed",
    "ISSUING, 2, Preparing, Prepared"
  })
  void aRotationIsCompleteWhenTheOldKeyIsListedNowhere(
      Stage stage, int step, RotationPhase before, RotationPhase phase) {
    RotationWish wish = step == 4 ? RotationWish.Complete : RotationWish.Prepare;
    Look look = new Look(wish, true, true, true, false);
    assertThat(RotationStep.phase(key(stage, step), look, before)).contains(phase);
  }

  @Test
  void aKeyIsReadAsItWasWrittenAtEveryStep() {
    RotatedKey key = key(Stage.SINGLE, 0);
    assertThat(key.files()).as("a key that was never rotated has no further file").hasSize(1);
    Look completes = look(RotationWish.Complete, true, true, true);
    for (int step = 0; step < 8; step++) {
      Look look =
          key.stage() == Stage.SINGLE ? look(RotationWish.Prepare, true, true, true) : completes;
      key = RotationStep.next(key, look, () -> Map.of("k", "new"), NOW).orElseThrow();
      assertThat(RotatedKey.read(bytes(key), NAMES)).isEqualTo(key);
      assertThat(key.trusted()).hasSize(key.stage() == Stage.SINGLE ? 1 : 2);
      assertThat(key.trusted().getFirst()).as("what servers show").isEqualTo(key.served());
    }
    assertThat(key.step()).isEqualTo(8);
  }

  /** By a person, with files of the keys alone, or with other words in the file of the step. */
  @ParameterizedTest
  @CsvSource({"''", "x", "1 2 3", "-1 SERVING 2026-06-01T00:00:00Z", "1 SERVING yesterday"})
  void aRestoredSecretIsReadByItsKeys(String words) {
    Map<String, byte[]> files = new TreeMap<>(bytes(key(Stage.TRUSTED, 5)));
    files.put(RotatedKey.FILE, words.getBytes(StandardCharsets.US_ASCII));
    assertThat(RotatedKey.read(files, NAMES).stage()).isEqualTo(Stage.TRUSTED);
    files.remove(RotatedKey.FILE);
    assertThat(RotatedKey.read(files, NAMES).stage()).isEqualTo(Stage.TRUSTED);
  }

  private static Map<String, byte[]> bytes(RotatedKey key) {
    Map<String, byte[]> files = new TreeMap<>();
    key.files().forEach((name, text) -> files.put(name, text.getBytes(StandardCharsets.US_ASCII)));
    return files;
  }

  /** A pod is replaced only for what it reads at its start. */
  @Test
  void eachComponentIsReplacedForTheStepsThatConcernIt() {
    RotatedKey none = key(Stage.SINGLE, 0);
    assertThat(RotationEpochs.of(none, none)).isEqualTo(RotationEpochs.NONE);
    Stage[] ca = {Stage.TRUSTED, Stage.ISSUING, Stage.SERVING, Stage.SINGLE, Stage.TRUSTED};
    assertThat(epochs(ca, true))
        .containsExactly(
            new RotationEpochs("ca-1", "ca-1", "ca-1"),
            new RotationEpochs("ca-1", "ca-2", "ca-2"),
            new RotationEpochs("ca-3", "ca-2", "ca-2"),
            new RotationEpochs("ca-4", "ca-4", "ca-4"),
            new RotationEpochs("ca-5", "ca-5", "ca-5"));
    Stage[] tokens = {Stage.TRUSTED, Stage.ISSUING, Stage.SINGLE, Stage.TRUSTED, Stage.ISSUING};
    assertThat(epochs(tokens, false))
        .containsExactly(
            new RotationEpochs("sa-1", "", ""),
            new RotationEpochs("sa-2", "sa-2", ""),
            new RotationEpochs("sa-3", "sa-2", ""),
            new RotationEpochs("sa-4", "sa-2", ""),
            new RotationEpochs("sa-5", "sa-5", ""));
    assertThat(RotationEpochs.of(key(Stage.TRUSTED, 1), key(Stage.ISSUING, 2)).controllerManager())
        .isEqualTo("ca-1,sa-2")
        .matches(RotationEpochs::hasCaSteps);
  }

  private static List<RotationEpochs> epochs(Stage[] stages, boolean ca) {
    RotatedKey none = key(Stage.SINGLE, 0);
    return java.util.stream.IntStream.range(0, stages.length)
        .mapToObj(i -> key(stages[i], i + 1))
        .map(key -> ca ? RotationEpochs.of(key, none) : RotationEpochs.of(none, key))
        .toList();
  }
}
